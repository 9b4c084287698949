import { Problem } from '../api/problem.ts'

type WalletError = { readonly code?: unknown; readonly message?: unknown }

/** Converts an error of a wallet to a problem. */
export function toWalletProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const { code, message } = (error ?? {}) as WalletError
  const text = typeof message === 'string' ? message : ''
  const known =
    byCode[String(code)] ?? (/insufficient funds/i.test(text) ? insufficientFunds : undefined)
  if (known !== undefined) return new Problem(known[0], known[1], { code: known[2], cause: error })
  const quoted = text === '' ? '' : ` It says: “${text.slice(0, 200)}”`
  return new Problem(
    `The wallet failed.${quoted}`,
    'As far as this page knows, nothing was paid. Check the wallet, then try again.',
    { code: code === undefined ? undefined : `wallet/${String(code)}`, cause: error },
  )
}

type KnownProblem = readonly [sentence: string, remedy: string, code: string]

const insufficientFunds: KnownProblem = [
  'The wallet does not hold enough for the price and the network fee.',
  'Nothing was paid. Add money to it, or connect another wallet.',
  'wallet/short',
]

const byCode: Readonly<Record<string, KnownProblem>> = {
  4001: ['You declined in the wallet.', 'Nothing was paid. You can try again.', 'wallet/declined'],
  4100: [
    'The wallet does not allow this page to use that account.',
    'Connect the account in the wallet, then try again.',
    'wallet/unauthorized',
  ],
  4900: [
    'The wallet is not connected to any chain.',
    'Check that it is online, then try again.',
    'wallet/offline',
  ],
  '-32002': [
    'The wallet is already waiting for your answer.',
    'Open the wallet and answer there.',
    'wallet/busy',
  ],
}
