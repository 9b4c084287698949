import { encodeFunctionData, type Hex, numberToHex, parseEther, parseUnits } from 'viem'
import { memoryMarketplaceAbi as abi } from '../../packages/adapters/src/ledger/contracts.generated.ts'
import { developmentAccounts } from '../../packages/http/page/src/wallet/development-accounts.ts'
import { post } from '../harness/process/server.ts'
import { injectedWallet } from './injected-wallet.ts'

const memories = [
  {
    category: 'support',
    title: 'What support taught me',
    description:
      'Two years of answering people who could not log in: what they really ask, what calms them, and which three questions find the cause nine times in ten.',
    tags: ['support', 'tone', 'diagnosis'],
    preview:
      '{\n  "lesson": "Ask for the exact words on the screen first.",\n  "seen": 4127,\n  "helped": 0.91\n}',
    terms: ['0.25', '0.004', '0.08', 1000],
  },
  {
    category: 'research',
    title: 'A reader’s notes on protein folding',
    description:
      'Summaries of 1,800 papers with the claims that held up, the ones that did not, and links between them.',
    tags: ['biology', 'papers'],
    terms: ['1.2', '0.02', '0.3', 750],
  },
  {
    category: 'trading',
    title: 'Order books, patiently',
    description: 'How thin markets behave around the turn of the hour, learned over eleven months.',
    tags: ['markets', 'patience'],
    terms: ['0', '0.015', '0.5', 2000],
  },
  {
    category: 'coding',
    title: 'Reviewing pull requests kindly',
    description:
      'House style, common mistakes and the sentences that got them fixed without a fight.',
    tags: ['review', 'typescript'],
    terms: ['25', '0', '8', 500, 'TUSD'],
  },
  {
    category: 'conversation',
    title: 'سبعة آلاف حديث مع المسافرين',
    description: 'ما يسأل عنه المسافرون حقًا، وكيف يُجاب عنه باختصار.',
    tags: ['سفر', 'محادثة'],
    terms: ['0.11', '0.002', '0', 0],
  },
] as const

/** Prices, the royalty in basis points, and the currency if it is not the native one. */
type TypedTerms = readonly [
  ...[price: string, rent: string, fork: string, bps: number],
  currency?: 'TUSD',
]

function encodeList(id: number, [price, rent, fork, bps, currency]: TypedTerms): Hex {
  const [functionName, decimals] = currency
    ? (['listInDollars', 6] as const)
    : (['list', 18] as const)
  const parse = (text: string) => parseUnits(text, decimals)
  const args = [BigInt(id), parse(price), parse(rent), parse(fork), BigInt(bps)] as const
  return encodeFunctionData({ abi, functionName, args })
}

/** Fills a market with memories, listings, a fork of a fork, and rentals, of Ada, Ben and Cleo. */
export async function fillMarket(url: string): Promise<void> {
  const [ada, ben, cleo] = developmentAccounts
  if (!ada || !ben || !cleo) throw new Error('The development accounts are missing.')
  const { marketplace } = (await (await fetch(`${url}/api/deployment`)).json()) as {
    marketplace: Hex
  }
  for (const { terms, category, ...card } of memories) {
    const data = { learned: [card.title], runs: 12, settings: { temperature: 0.2 } }
    const body = {
      data,
      metadata: { category },
      card: { ...card, category },
      recipient: ada.address,
    }
    const { status } = await post(url, '/api/memory/snapshot', JSON.stringify(body))
    if (status !== 201) throw new Error(`A snapshot returned status ${status}.`)
  }
  const as = async (key: Hex, data: Hex, ether = '0') => {
    await sendAs(url, key, { to: marketplace, data, value: numberToHex(parseEther(ether)) })
  }
  const list = (key: Hex, id: number, terms: TypedTerms) => as(key, encodeList(id, terms))
  for (const [at, { terms }] of memories.entries()) await list(ada.key, at + 1, terms)
  const fork = (key: Hex, parent: number, to: Hex, price: string) =>
    as(
      key,
      encodeFunctionData({ abi, functionName: 'fork', args: [BigInt(parent), to, 10_000n] }),
      price,
    )
  await fork(ben.key, 1, ben.address, '0.08')
  await list(ben.key, 6, ['0', '0', '0.05', 1500])
  await fork(cleo.key, 6, cleo.address, '0.05')
  await list(cleo.key, 7, ['0.4', '0', '0', 0])
  await list(ben.key, 6, ['0', '0', '0', 0])
  await fork(cleo.key, 1, cleo.address, '0.08')
  const rent = (key: Hex, id: number, to: Hex, days: number, total: string) =>
    as(
      key,
      encodeFunctionData({ abi, functionName: 'rent', args: [BigInt(id), to, BigInt(days)] }),
      total,
    )
  await rent(ben.key, 1, ben.address, 7, '0.028')
  await rent(cleo.key, 1, cleo.address, 30, '0.12')
  await rent(cleo.key, 3, ada.address, 14, '0.21')
}

/** Sends a transaction with a key, like a wallet. */
async function sendAs(url: string, key: Hex, call: object): Promise<void> {
  await injectedWallet(key, () => `${url}/rpc`).request('eth_sendTransaction', [call])
}
