import { PassThrough } from 'node:stream'
import { ReadBuffer, serializeMessage, type Transport } from '@modelcontextprotocol/client'
import { hostCommand } from '../process/hosted-command.ts'

/** Returns a transport to an MCP server of the packed program that runs in this process. */
export function hostedSession(command: Omit<hostCommand.Input, 'input'>): Transport {
  const input = new PassThrough()
  const received = new ReadBuffer()
  let ended: Promise<unknown> = Promise.resolve()
  const take = (chunk: Buffer) => {
    received.append(chunk)
    for (let it = received.readMessage(); it !== null; it = received.readMessage()) {
      transport.onmessage?.(it)
    }
  }
  const transport: Transport = {
    async start() {
      const { stdout, stderr, code } = hostCommand({ ...command, input })
      stdout.on('data', take)
      stderr.pipe(process.stderr, { end: false })
      ended = code.finally(() => transport.onclose?.())
    },
    async send(message) {
      input.write(serializeMessage(message))
    },
    async close() {
      input.end()
      await ended
    },
  }
  return transport
}
