import { command } from '../arguments/command.ts'
import { connectAs } from '../connection/connect.ts'

/** Serves agents over the Model Context Protocol. */
export const mcp = command({
  about: 'Serves an agent over the Model Context Protocol, on standard input and output.',
  more: [
    'It talks to the server of HEIRLOOM_URL, and signs here with your wallet: the key never leaves this process. An MCP client starts it; docs/mcp.md shows how.',
  ],
  words: [],
  options: {},
  examples: [
    {
      line: `echo '{"jsonrpc":"2.0","id":1,"method":"ping"}' | heirloom mcp`,
      about: 'Whether it answers:',
    },
  ],
  run: async (call) => {
    const connection = await connectAs(call)
    const { runMcp } = await import('../../mcp/stdio.ts')
    return runMcp({ env: call.terminal.env, ...connection })
  },
})
