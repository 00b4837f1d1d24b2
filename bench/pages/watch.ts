/** Runs in each measured page: finds the frame in which a person sees what was asked for. */
export type Watch = {
  /** Milliseconds from `since` until all of these texts were on screen. */
  shown(texts: readonly string[], since: () => number): Promise<number>;
  /** The same of the first of these lists that is. */
  shownAny(lists: readonly (readonly string[])[], since: () => number): Promise<number>;
  /** The same from the next event of this type; the answer is in `result`. */
  shownAfter(type: 'keydown' | 'pointerup', texts: readonly string[]): void;
  result: Promise<number>;
  /** How long each frame takes while the rows scroll by `step` pixels in every one. */
  scroll(element: string, step: number, frames: number): Promise<readonly number[]>;
};

declare const scheduler: {
  postTask<Result>(run: () => Result, options: { priority: string }): Promise<Result>;
};

const deadlineMs = 60_000;

const nextFrame = (): Promise<number> => new Promise(requestAnimationFrame);

/** Right after the frame is painted, before any other task: the document is still as it was painted. */
const frameEnd = (): Promise<number> =>
  scheduler.postTask(() => performance.now(), { priority: 'user-blocking' });

/** VS Code shows the frame of a panel only once it has loaded. */
const isFrameShown = (): boolean =>
  !frameElement || getComputedStyle(frameElement).visibility === 'visible';

const watch: Watch = {
  shown: (texts, since) => watch.shownAny([texts], since),
  async shownAny(lists, since) {
    const deadline = performance.now() + deadlineMs;
    for (;;) {
      await nextFrame();
      const now = await frameEnd();
      // A frame of VS Code has no body at first.
      const text = document.querySelector('body')?.textContent ?? '';
      const isShown = lists.some((texts) => texts.every((one) => text.includes(one)));
      if (isShown && isFrameShown()) return now - since();
      if (now > deadline) throw new Error(`Not shown: ${JSON.stringify(lists)}`);
    }
  },
  shownAfter(type, texts) {
    const { promise, resolve } = Promise.withResolvers<number>();
    watch.result = promise;
    const onEvent = ({ timeStamp }: Event): void => resolve(watch.shown(texts, () => timeStamp));
    addEventListener(type, onEvent, { capture: true, once: true });
  },
  result: Promise.resolve(0),
  async scroll(selector, step, frames) {
    const element = document.querySelector(selector);
    if (!element) throw new Error(`There is no ${selector}.`);
    const times = [await nextFrame()];
    for (let frame = 0; frame < frames; frame += 1) {
      element.scrollTop += step;
      times.push(await nextFrame());
    }
    return times.slice(1).map((time, index) => time - (times[index] ?? 0));
  },
};

Object.assign(globalThis, { watch });
