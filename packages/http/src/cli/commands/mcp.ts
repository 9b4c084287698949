import type { SpendLimits } from '../../wallet/spend-limits.ts'
import type { Wallet } from '../../wallet/wallet.ts'
import { type Call, command } from '../arguments/command.ts'
import { readAmount } from '../arguments/read-amount.ts'
import { connectAsAccount } from '../connection/connect.ts'
import { openOwnWallet } from '../connection/own-wallet.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Serves agents over the Model Context Protocol. */
export const mcp = command({
  about: 'Serves an agent over the Model Context Protocol, on standard input and output.',
  more: [
    'Calls the server at HEIRLOOM_URL, and signs with your wallet in this process; the key never leaves it. With HEIRLOOM_MAX_SPEND_PER_DAY your wallet can also act and pay by itself. An MCP client starts this command; docs/mcp.md shows how.',
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
    return runMcp({ env: call.terminal.env, ...connection, wallet: ownWalletOf(call) })
  },
})

/** Returns the function that opens your own wallet, if it may spend and its key is not a server's. */
function ownWalletOf(call: Call<never>): (() => Promise<Wallet>) | undefined {
  const { env } = call.terminal
  const limits = readLimits(env)
  const hasKey = Boolean(env.HEIRLOOM_PRIVATE_KEY || env.HEIRLOOM_KEYSTORE)
  if (limits.perDay === undefined || !hasKey) return undefined
  return () => openOwnWallet({ ...call, options: {} }, limits)
}

function readLimits({
  HEIRLOOM_MAX_SPEND_PER_CALL: perCall,
  HEIRLOOM_MAX_SPEND_PER_DAY: perDay,
}: Terminal['env']): SpendLimits {
  return {
    ...(perCall && { perCall: readAmount('HEIRLOOM_MAX_SPEND_PER_CALL', perCall) }),
    ...(perDay && { perDay: readAmount('HEIRLOOM_MAX_SPEND_PER_DAY', perDay) }),
  }
}
