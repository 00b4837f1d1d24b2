import { pageStamp, postToHost } from './hostClient.ts';
import { snapshotOf } from './snapshot.ts';

const quietMs = 250;
const observed = { childList: true, subtree: true, attributes: true, characterData: true };

/**
 * Sends the host what the page shows, once neither that nor the place it is scrolled to has changed for a
 * while. The host shows it when the panel comes back, until the page has drawn.
 */
export function keepSnapshot(root: HTMLElement): void {
  const stamp = pageStamp();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const send = (): void => postToHost({ v: 1, kind: 'snapshot', stamp, html: snapshotOf(root) });
  const sendSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => requestIdleCallback(send, { timeout: quietMs }), quietMs);
  };
  const onDrawn = (): void => {
    replaceKept();
    sendSoon();
  };
  new MutationObserver(onDrawn).observe(root, observed);
  document.addEventListener('scroll', sendSoon, { capture: true, passive: true });
}

/** The page has drawn: it goes on where it was scrolled to, in place of what its HTML had of it. */
function replaceKept(): void {
  const kept = document.getElementById('kept');
  if (!kept) return;
  const { scrollTop: top } = kept;
  kept.remove();
  window.scrollTo({ top });
}
