import type { SpendLimits } from '@heirloom/adapters/internal/wallet'
import { defaultSets, parseToolSets, toolSets } from '../api/tool-sets.ts'
import type { Wallet } from '../wallet/wallet.ts'
import { type Call, command, UsageError, withValue } from './arguments/command.ts'
import { readAmount, readDollars } from './arguments/read-amounts.ts'
import { connectAsAccount } from './connection/connect.ts'
import { openOwnWallet } from './connection/own-wallet.ts'
import type { Terminal } from './terminal/terminal.ts'

/** Serves agents over the Model Context Protocol. */
export const mcp = command({
  about: 'Serves an agent over the Model Context Protocol, on standard input and output.',
  more: [
    'Calls the server at HEIRLOOM_URL, and signs with your wallet in this process; the key never leaves it. With HEIRLOOM_MAX_SPEND_PER_DAY or HEIRLOOM_MAX_DOLLARS_PER_DAY your wallet can also act and pay by itself. An MCP client starts this command; docs/mcp.md shows how.',
  ],
  words: [],
  options: {
    tools: withValue(
      'SETS',
      'The sets of tools, separated by commas: ten for a small context, the exact ones for memories or for the market, or all. Default: small.',
    ),
  },
  examples: {
    'List the ten and the exact tools of the market:': `echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | heirloom mcp --tools small,market`,
    'Check that it responds:': `echo '{"jsonrpc":"2.0","id":1,"method":"ping"}' | heirloom mcp`,
  },
  run: async (call) => {
    const connection = await connectAsAccount({ ...call, options: {} })
    const sets = readSets(call.options.tools)
    const { runMcp } = await import('../mcp/stdio.ts')
    return runMcp({ terminal: call.terminal, ...connection, wallet: ownWalletOf(call), sets })
  },
})

function readSets(text: string | undefined) {
  const sets = text === undefined ? defaultSets : parseToolSets(text)
  if (sets !== undefined) return sets
  throw new UsageError(
    `--tools has one or more of ${toolSets.join(', ')}, separated by commas; ${text} is none.`,
  )
}

/** Returns the function that opens your own wallet, if it may spend and its key is not a server's. */
function ownWalletOf(call: Call<never>): (() => Promise<Wallet>) | undefined {
  const { env } = call.terminal
  const limits = readLimits(env)
  const hasKey = Boolean(env.HEIRLOOM_PRIVATE_KEY || env.HEIRLOOM_KEYSTORE)
  if (limits === undefined || !hasKey) return undefined
  return () => openOwnWallet({ ...call, options: {} }, limits)
}

/** Reads the limits of a wallet that a model uses; without the limit of a currency it spends none. */
function readLimits(env: Terminal['env']): SpendLimits | undefined {
  const perDay = readLimit(env, 'HEIRLOOM_MAX_SPEND_PER_DAY', readAmount)
  const dollarsPerDay = readLimit(env, 'HEIRLOOM_MAX_DOLLARS_PER_DAY', readDollars)
  if (perDay === undefined && dollarsPerDay === undefined) return undefined
  const perCall = readLimit(env, 'HEIRLOOM_MAX_SPEND_PER_CALL', readAmount)
  const dollarsPerCall = readLimit(env, 'HEIRLOOM_MAX_DOLLARS_PER_CALL', readDollars)
  return {
    perCall,
    perDay: perDay ?? 0n,
    dollars: { perCall: dollarsPerCall, perDay: dollarsPerDay ?? 0n },
  }
}

function readLimit(
  env: Terminal['env'],
  name: string,
  read: (name: string, text: string) => bigint,
): bigint | undefined {
  const text = env[name]
  return text ? read(name, text) : undefined
}
