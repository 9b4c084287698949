import { mostTakenOver } from '@heirloom/core'
import type { Client } from '../../client/client.ts'
import { readPages } from '../../client/reads.ts'
import type { Quote, Wallet } from '../../wallet/wallet.ts'
import type { Call, NamedOptions } from '../arguments/command.ts'
import { readTokenId } from '../arguments/read-values.ts'
import { connect } from '../connection/connect.ts'
import { ownDryRun } from '../connection/dry-run.ts'
import { type actOptions, openOwnWallet, toActOptions } from '../connection/own-wallet.ts'
import { confirmPayment } from '../connection/writer.ts'
import { amountText, dollarText, rows } from '../terminal/value-text.ts'

type TakeoverCall = Call<never, typeof actOptions & NamedOptions<'yes', 'tokens'>>

/** The property that an heir takes over: tokens in batches that fit into one act each, and the credit. */
type Estate = {
  readonly account: `0x${string}`
  readonly batches: readonly (readonly string[])[]
  readonly hasCredit: boolean
}

/**
 * Takes over what an account holds: all tokens that the server knows and the credit, or the tokens of
 * `--tokens`.
 */
export async function takeOver(call: TakeoverCall, account: `0x${string}`): Promise<void> {
  const estate = await findEstate(call, account)
  const tokenIds = estate.batches.flat()
  const wallet = await openOwnWallet(call)
  if (call.options['dry-run']) {
    const quote = await quoteEstate(wallet, estate)
    if (quote === undefined) return printNothing(call, estate)
    return call.output.result(ownDryRun(wallet, { act: 'takeOver', quote }))
  }
  if (tokenIds.length === 0 && !estate.hasCredit) return printNothing(call, estate)
  const what = [
    ...(tokenIds.length > 0 ? [countText(tokenIds)] : []),
    ...(estate.hasCredit ? ['the credit'] : []),
  ].join(' and ')
  await confirmPayment(call, `Take over ${what} of ${account}, for ever?`)
  const { txHashes, lines, ...credit } = await perform(call, wallet, estate)
  const value = { account, heir: wallet.address, tokenIds, txHashes, ...credit }
  await call.output.result({ value, lines })
}

const printNothing = ({ output }: Pick<TakeoverCall, 'output'>, { account }: Estate) =>
  output.result({
    value: { account, tokenIds: [], txHashes: [] },
    lines: [`${account} holds no token that the server knows, and has no credit.`],
  })

async function perform(
  call: TakeoverCall,
  wallet: Wallet,
  { account, batches, hasCredit }: Estate,
) {
  const txHashes: string[] = []
  for (const tokenIds of batches) {
    const { txHash } = await wallet.takeOver(account, { tokenIds }, toActOptions(call))
    txHashes.push(txHash)
  }
  const lines: (readonly [string, string])[] = [
    ['Taken over', `${countText(batches.flat())} of ${account}`],
    ...txHashes.map((txHash) => ['Transaction', txHash] as const),
  ]
  if (!hasCredit) return { txHashes, lines: rows(lines) }
  const { txHash, ...credit } = await wallet.takeOverCredit(account, toActOptions(call))
  lines.push(['Credit', creditText(credit)], ['Transaction', txHash])
  const taken = { credit: credit.amount, dollarCredit: credit.dollars }
  return { txHashes: [...txHashes, txHash], lines: rows(lines), ...taken }
}

const creditText = ({ amount, dollars }: { readonly amount: string; readonly dollars: string }) =>
  [
    ...(amount === '0' ? [] : [amountText(BigInt(amount))]),
    ...(dollars === '0' ? [] : [dollarText(BigInt(dollars))]),
    'pay it out with heirloom withdraw',
  ].join('; ')

async function quoteEstate(wallet: Wallet, estate: Estate): Promise<Quote | undefined> {
  const { account, batches, hasCredit } = estate
  const quotes: Quote[] = []
  for (const tokenIds of batches) {
    quotes.push(await wallet.quote('takeOver', account, { tokenIds }))
  }
  if (hasCredit) quotes.push(await wallet.quote('takeOverCredit', account))
  return quotes.reduce<Quote | undefined>(addFees, undefined)
}

const addFees = (sum: Quote | undefined, { maxFee, ...quote }: Quote): Quote => {
  if (sum === undefined) return { ...quote, maxFee }
  const isKnown = sum.maxFee !== null && maxFee !== null
  return { ...sum, maxFee: isKnown ? `${BigInt(sum.maxFee) + BigInt(maxFee)}` : null }
}

async function findEstate(call: TakeoverCall, account: `0x${string}`): Promise<Estate> {
  const { tokens } = call.options
  if (tokens !== undefined) {
    const named = tokens.split(',').map((id) => readTokenId('--tokens', id))
    return { account, batches: batchesOf(named), hasCredit: false }
  }
  const client = await connect(call)
  const { credit, dollars } = await client.earnings(account, { signal: call.signal })
  const hasCredit = credit !== '0' || dollars.credit !== '0'
  return { account, batches: batchesOf(await tokensOf(client, account)), hasCredit }
}

async function tokensOf(client: Client, owner: `0x${string}`): Promise<readonly string[]> {
  const tokens = await readPages((after) => client.memories({ owner, limit: 100, after }))
  return tokens.map(({ tokenId }) => tokenId)
}

const countText = ({ length }: readonly string[]) => (length === 1 ? '1 token' : `${length} tokens`)

const batchesOf = (tokenIds: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(tokenIds.length / mostTakenOver) }, (_, at) =>
    tokenIds.slice(at * mostTakenOver, (at + 1) * mostTakenOver),
  )
