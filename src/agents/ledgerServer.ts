import '../base/withoutNetwork.ts';
import { McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
import { Grants, heartbeatMs } from './grants.ts';
import type { Refusal } from './arguments.ts';
import { AgentService } from './service.ts';
import { instructions, listedTools } from './toolList.ts';

/**
 * A process of its own that answers an agent on its standard input and output. Its arguments: the folder of the
 * grants, the worker of the ledger, and the version of the extension. It has no key and no client of an exchange.
 */
async function serve([
  folder = '',
  workerFile = '',
  version = '',
]: readonly string[]): Promise<void> {
  const grants = new Grants(folder);
  const service = new AgentService(grants, workerFile);
  const jsonSchemaValidator = new CfWorkerJsonSchemaValidator();
  const options = { capabilities: { tools: {} }, instructions, jsonSchemaValidator };
  const { server } = new McpServer({ name: 'margin-desk', version }, options);
  const tools = listedTools();
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    if (!tools.some(({ name }) => name === params.name))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.');
    try {
      const value = await service.answer(params.name, params.arguments);
      return { content: [textOf(value)], structuredContent: { ...value } };
    } catch (error) {
      const { code, field, message } = error as Refusal;
      return { content: [textOf({ error: { code, field, message } })], isError: true };
    }
  });
  const closing = setInterval(() => void service.close(grants.read()), heartbeatMs);
  server.onclose = () => {
    clearInterval(closing);
    void service.close();
  };
  await server.connect(new StdioServerTransport(process.stdin, process.stdout));
}

function textOf(value: object): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text: JSON.stringify(value) };
}

void serve(process.argv.slice(2));
