import { Problem } from '../api/problem.ts'

type Refusal = { readonly code?: unknown; readonly message?: unknown }

/** Returns what a wallet refused, in words for a person. */
export function walletProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const { code, message } = (error ?? {}) as Refusal
  const text = typeof message === 'string' ? message : ''
  const known = byCode[String(code)] ?? (/insufficient funds/i.test(text) ? short : undefined)
  if (known !== undefined) return new Problem(known[0], known[1], { code: known[2], cause: error })
  const said = text === '' ? '' : ` It says: “${text.slice(0, 200)}”`
  return new Problem(
    `The wallet could not do it.${said}`,
    'Nothing was paid as far as this page knows. Look at the wallet, then try again.',
    { code: code === undefined ? undefined : `wallet/${String(code)}`, cause: error },
  )
}

type Told = readonly [sentence: string, remedy: string, code: string]

const short: Told = [
  'The wallet does not hold enough for the price and the network fee.',
  'Nothing was paid. Add ether to it, or connect another wallet.',
  'wallet/short',
]

const byCode: Readonly<Record<string, Told>> = {
  4001: [
    'You declined in the wallet.',
    'Nothing was paid. Try again whenever you like.',
    'wallet/declined',
  ],
  4100: [
    'The wallet does not let this page use that account.',
    'Connect the account in the wallet, then try again.',
    'wallet/unauthorized',
  ],
  4900: [
    'The wallet is not connected to any chain.',
    'See that it is online, then try again.',
    'wallet/offline',
  ],
  '-32002': [
    'The wallet is already asking you something.',
    'Open the wallet and answer it there.',
    'wallet/busy',
  ],
}
