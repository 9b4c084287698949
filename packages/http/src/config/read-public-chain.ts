import { type Environment, invalidVariable, readText, wrongValue } from './environment.ts'

/** The facts of the chain for wallets and browsers. */
export type PublicChain = {
  /** The JSON-RPC address that anybody may use; absent for none. */
  readonly rpcUrl: string | undefined
  /** The name of the chain; absent where it is well known. */
  readonly name: string | undefined
  /** The symbol of the native currency; absent where the chain is well known, or it is ether. */
  readonly nativeSymbol: string | undefined
  /** The address of a block explorer; absent for none. */
  readonly explorerUrl: string | undefined
}

/**
 * Reads the facts of the chain for wallets and browsers. RPC_URL is not public: it often holds a key.
 *
 * @throws `config/invalid`
 */
export function readPublicChain(env: Environment): PublicChain {
  return {
    rpcUrl: readPublicAddress(env, 'PUBLIC_RPC_URL'),
    name: readName(env),
    nativeSymbol: readSymbol(env),
    explorerUrl: readPublicAddress(env, 'EXPLORER_URL'),
  }
}

function readPublicAddress(env: Environment, name: string): string | undefined {
  const text = readText(env, name)
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url !== undefined && url.username === '' && url.password === ''
  if (isPlain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/$/, '')
  throw invalidVariable(name, 'must be an http or https address without a password')
}

function readName(env: Environment): string | undefined {
  const text = readText(env, 'CHAIN_NAME')
  if (text === undefined || /^[\p{L}\p{N} ._()-]{1,40}$/u.test(text)) return text
  throw wrongValue('CHAIN_NAME', 'must be 1 to 40 letters, digits, spaces and . _ ( ) -', text)
}

function readSymbol(env: Environment): string | undefined {
  const text = readText(env, 'NATIVE_SYMBOL')
  if (text === undefined || /^[A-Za-z0-9]{2,6}$/.test(text)) return text
  throw wrongValue('NATIVE_SYMBOL', 'must be 2 to 6 letters and digits, as wallets show it', text)
}
