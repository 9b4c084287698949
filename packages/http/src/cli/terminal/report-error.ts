import { defaultUrl } from '../connection/connect.ts'
import { exitCodeOf } from './exit-code.ts'
import { type FailedLine, hintedSentence } from './hint.ts'
import { jsonText, writeTo } from './output.ts'
import { printable } from './printable.ts'
import type { Terminal } from './terminal.ts'

/** Writes an error to standard error, as a sentence or as JSON, and returns the exit code. */
export async function reportError(
  { stderr, env }: Terminal,
  error: unknown,
  { words, json }: Pick<FailedLine, 'words'> & { readonly json: boolean },
): Promise<number> {
  const { code = 'service/unexpected', facts = {} } = Object(error)
  const [isRelayed, hasApiKey] = [env.HEIRLOOM_RELAYED === 'true', Boolean(env.HEIRLOOM_API_KEY)]
  const given = words[words.indexOf('--url') + 1]
  const url = (words.includes('--url') && given) || env.HEIRLOOM_URL || defaultUrl
  const line = { words, isRelayed, hasApiKey, url }
  const message = printable(sentenceOf(error, line))
  const text = json ? jsonText({ code, message, facts }) : message
  await writeTo(stderr, `${text}\n`).catch(() => undefined)
  return exitCodeOf(error)
}

function sentenceOf(error: unknown, line: FailedLine): string {
  const { code, facts = {} } = Object(error)
  if (code === 'client/no-account') return noWallet
  if (code === 'client/no-node') return noNode
  const message =
    error instanceof Error ? (error.message.split('\n')[0] ?? error.name) : String(error)
  const hinted = hintedSentence(code, { facts, message }, line)
  if (hinted !== undefined) return hinted
  // Calls to a node of the chain have no path.
  return code === 'client/unreachable' && facts?.path ? noServerAt(line) : message
}

// The client's own sentences are for a program that calls it; these are for a command line.
const noWallet = 'No wallet. Set HEIRLOOM_PRIVATE_KEY or HEIRLOOM_KEYSTORE.'
const noNode =
  'Your wallet needs a node of this chain. Name one that you trust with --rpc-url or HEIRLOOM_RPC_URL.'
const noServerAt = ({ url }: FailedLine) =>
  `No server at ${url}. Start one with heirloom serve, or set HEIRLOOM_URL.`
