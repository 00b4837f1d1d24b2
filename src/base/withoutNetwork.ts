/** Before anything else is loaded: nothing in this thread can ask a server. */
for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'])
  Reflect.deleteProperty(globalThis, name);
