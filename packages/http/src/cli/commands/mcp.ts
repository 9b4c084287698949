import { command } from '../arguments/command.ts'
import { connectAsAccount } from '../connection/connect.ts'

/** Serves agents over the Model Context Protocol. */
export const mcp = command({
  about: 'Serves an agent over the Model Context Protocol, on standard input and output.',
  more: [
    'Calls the server at HEIRLOOM_URL, and signs with your wallet in this process; the key never leaves it. An MCP client starts this command; docs/mcp.md shows how.',
  ],
  words: [],
  options: {},
  examples: [
    {
      line: `echo '{"jsonrpc":"2.0","id":1,"method":"ping"}' | heirloom mcp`,
      about: 'Check that it responds:',
    },
  ],
  run: async (call) => {
    const connection = await connectAsAccount(call)
    const { runMcp } = await import('../../mcp/stdio.ts')
    return runMcp({ env: call.terminal.env, ...connection })
  },
})
