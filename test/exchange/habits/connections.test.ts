import assert from 'node:assert/strict';
import { createServer, globalAgent as plainAgent, type Agent } from 'node:http';
import { globalAgent as secureAgent } from 'node:https';
import { createServer as createTcpServer, Socket } from 'node:net';
import type { Failure } from '../../../src/exchange/exchangeError.ts';
import { eventually } from '../../support/eventually.ts';
import { cancelAllOf, clientFor } from '../../support/exchangeClient.ts';
import { failureOf } from '../../support/failureOf.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { testHabits, type Habit } from '../../support/habits.ts';
import { listenAtNewOrigin } from '../../support/newOrigin.ts';

/** A socket that is still connecting and, if it is secure, has to shake hands; `live` continues its life. */
type Stage = { readonly isSecure?: boolean; readonly live?: (socket: Socket) => void };

/** How a cancel-all fails over such a socket; a live one that stays silent fails after the deadline. */
async function failureOver({ isSecure = false, live }: Stage): Promise<Failure> {
  const agent: Agent = isSecure ? secureAgent : plainAgent;
  const socket = Object.assign(new Socket(), {
    connecting: true,
    ...(isSecure ? { encrypted: true } : {}),
  });
  let isOpened = false;
  agent.createConnection = () => {
    isOpened = true;
    return socket;
  };
  try {
    const clock = new FakeClock();
    const url = `${isSecure ? 'https' : 'http'}://127.0.0.1:9`;
    const failure = failureOf(cancelAllOf(clientFor({ url }, { clock })));
    await eventually('the socket', () => isOpened);
    await clock.advance(0);
    live?.(socket);
    await clock.advance(20_000);
    return await failure;
  } finally {
    Reflect.deleteProperty(agent, 'createConnection');
  }
}

function fails(code: string, syscall: string): Stage {
  return { live: (socket) => socket.destroy(Object.assign(new Error('x'), { code, syscall })) };
}

const connect = (socket: Socket): void => {
  Object.assign(socket, { connecting: false }).emit('connect');
};

const notSent: [habit: string, source: string, stage: Stage][] = [
  ['a SYN that is dropped until our deadline', 'ccxt Manual, RequestTimeout', {}],
  ['connect ETIMEDOUT', 'sibling', fails('ETIMEDOUT', 'connect')],
  ['getaddrinfo EAI_FAIL', 'sibling', fails('EAI_FAIL', 'getaddrinfo')],
  ['a TLS handshake that hangs until our deadline', 'sibling', { isSecure: true, live: connect }],
  [
    'a TLS handshake that is reset',
    'sibling',
    {
      isSecure: true,
      live: (socket) => {
        connect(socket);
        socket.destroy(Object.assign(new Error('x'), { code: 'ECONNRESET', syscall: 'read' }));
      },
    },
  ],
];
const unknown: [habit: string, stage: Stage][] = [
  ['a connection without an answer until our deadline', { live: connect }],
  [
    'a finished TLS handshake without an answer',
    {
      isSecure: true,
      live: (socket) => {
        connect(socket);
        socket.emit('secureConnect');
      },
    },
  ],
  [
    'a connection that is reset',
    {
      live: (socket) => {
        connect(socket);
        socket.destroy(Object.assign(new Error('x'), { code: 'ETIMEDOUT', syscall: 'read' }));
      },
    },
  ],
];

const habits: Habit[] = [
  ...notSent.map(([habit, source, stage]) => ({
    habit,
    source,
    sees: 'the cancel-all was not sent',
    check: async () => assert.equal((await failureOver(stage)).sent, 'no'),
  })),
  ...unknown.map(([habit, stage]) => ({
    habit,
    source: 'sibling',
    sees: 'the cancel-all may have been sent',
    check: async () => assert.equal((await failureOver(stage)).sent, 'maybe'),
  })),
  {
    habit: 'a server that takes the connection and never answers the handshake',
    source: 'sibling',
    sees: 'the cancel-all was not sent, after the deadline',
    check: async () => {
      let hasGreeted = false;
      const sockets = new Set<Socket>();
      const server = createTcpServer((socket) => {
        sockets.add(socket.on('error', () => undefined).once('data', () => (hasGreeted = true)));
      });
      const url = (await listenAtNewOrigin(server)).replace('http:', 'https:');
      const clock = new FakeClock();
      const failure = failureOf(cancelAllOf(clientFor({ url }, { clock })));
      await eventually('the greeting', () => hasGreeted);
      await clock.advance(20_000);
      const { kind, sent } = await failure;
      for (const socket of sockets) socket.destroy();
      server.close();
      assert.deepEqual([kind, sent], ['timeout', 'no']);
    },
  },
  {
    habit: 'a kept-alive connection that no longer answers',
    source: 'sibling',
    sees: 'the cancel-all may have been sent',
    check: async () => {
      let requests = 0;
      const server = createServer((_request, response) => {
        requests += 1;
        if (requests === 1) response.end('[]');
      });
      const clock = new FakeClock();
      const client = clientFor({ url: await listenAtNewOrigin(server) }, { clock });
      await cancelAllOf(client);
      const failure = failureOf(cancelAllOf(client));
      await eventually('the second DELETE', () => requests === 2);
      await clock.advance(20_000);
      const { sent } = await failure;
      server.closeAllConnections();
      server.close();
      assert.equal(sent, 'maybe');
    },
  },
];

testHabits('a connection that never opens', habits);
