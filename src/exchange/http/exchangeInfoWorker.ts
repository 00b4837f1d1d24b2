import { parentPort } from 'node:worker_threads';
import { UsedExchangeInfo } from './usedExchangeInfo.ts';

/** The thread that shortens large exchange information: gets its bytes in parts, then null; answers with the text. */

const decoder = new TextDecoder('utf-8', { fatal: true });
const information = new UsedExchangeInfo();
parentPort?.on('message', (chunk: Uint8Array | null) => {
  information.add(chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode());
  if (!chunk) parentPort?.postMessage(information.text);
});
