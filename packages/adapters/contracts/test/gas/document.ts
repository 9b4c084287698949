import { markdownTable } from '../../../../../publish/markdown-table.ts'
import { ceilings, charges, type Operation } from './floor.ts'
import type { Gas, Measurements } from './meter.ts'

/** Writes `docs/gas.md`. */
export function writeGasDocument(measured: Measurements): string {
  return [
    '# Gas',
    '',
    'Gas of whole transactions on the newest chain rules (osaka), in steady state: who takes part already owns a token. Written by `node packages/adapters/contracts/test/gas.ts`, which measures everything on this page in one run; a test measures it again and compares it to the last unit.',
    '',
    ...operations(measured),
    '',
    ...meaning(measured),
    '',
    '## A life',
    '',
    ...life(measured),
    '',
    '## Dollars, relayed calls, heirs',
    '',
    ...wallets(measured),
    '',
    '## The deepest fork',
    '',
    ...deepest(measured),
    '',
    '## A plain mint',
    '',
    ...plain(measured),
    '',
    '## Deployment',
    '',
    ...deployment(measured),
    '',
    '## The floor',
    '',
    ...floor(),
    '',
    '## The ordinary contract',
    '',
    '`test/yardstick/OrdinaryMemory.sol` is the same market as most projects would write it: one contract of OpenZeppelin’s `ERC721URIStorage`, `Ownable` and `ReentrancyGuard`, with structs and strings. It is compiled by the same compiler with the same settings and does the same things in the same run. Its batch is of 50, because 100 of its tokens do not fit into a transaction.',
    '',
  ].join('\n')
}

const ordinaryNames: Readonly<Partial<Record<Operation, string>>> = {
  'mintBatch(100), per token': 'mintBatch(50), per token',
}

function operations({ heirloom, floor: least, ordinary }: Measurements): readonly string[] {
  const rows = Object.entries(ceilings).map(([operation, ceiling]) => {
    const gas = gasOf(heirloom, operation)
    const [bottom, other] = [
      gasOf(least, operation),
      gasOf(ordinary, ordinaryNames[operation as Operation] ?? operation),
    ]
    const numbers = [gas, ceiling, bottom].map(formatNumber)
    return [operation, ...numbers, ratio(gas, bottom), formatNumber(other), ratio(gas, other)]
  })
  const head = ['Operation', 'Gas', 'Ceiling', 'Floor', 'Gas ÷ floor', 'Ordinary', 'Gas ÷ ordinary']
  return [tableOf(head, rows)]
}

function meaning({ heirloom, floor: least, ordinary }: Measurements): readonly string[] {
  const ratios = Object.keys(ceilings).map(
    (operation) => gasOf(heirloom, operation) / gasOf(least, operation),
  )
  const worst = Math.ceil((Math.max(...ratios) - 1) * 100)
  const more = gasOf(heirloom, 'buy, first sale') - gasOf(ordinary, 'buy, first sale')
  return [
    `No operation is more than ${worst} % above what the chain charges for the state, the logs and the payments alone. ` +
      'What is written once and read often is where the ordinary contract loses: a mint, a listing or a fork costs it two to four times as much. ' +
      `Only where money moves is it level or ahead, by ${formatNumber(more)} for a first sale, because its one contract makes no call between a registry and a market, and because a mint here leaves the owner’s word to be written by the first buyer.`,
  ]
}

const lifeOperations = ['mint', 'list', 'buy, first sale'] as const

function life({ heirloom, floor: least, ordinary }: Measurements): readonly string[] {
  const sum = (gas: Gas) =>
    lifeOperations.reduce((total, operation) => total + gasOf(gas, operation), 0)
  const [ours, bottom, others] = [sum(heirloom), sum(least), sum(ordinary)]
  return [
    `A memory that is minted, listed and sold costs ${formatNumber(ours)}: ${ratio(ours, bottom)} of the floor (${formatNumber(bottom)}) and ${ratio(ours, others)} of the ordinary contract (${formatNumber(others)}).`,
  ]
}

function wallets({ wallets: gas }: Measurements): readonly string[] {
  const rows = Object.entries(gas).map(([operation, amount]) => [operation, formatNumber(amount)])
  return [
    'With the test dollar, whose transfers cost less than those of USDC: a proxy and its checks add some 10,000 for each. Whoever sends an order pays this gas, and whoever relays a call. An order paid to its own address deploys code of 45 bytes there, which its first refund finds again.',
    '',
    tableOf(['Operation', 'Gas'], rows),
  ]
}

function deepest({ deepest: gas }: Measurements): readonly string[] {
  const rows = Object.entries(gas).map(([operation, amount]) => [operation, formatNumber(amount)])
  return [
    'Estimates for a token at the end of 64 licensed forks with eight claims, which is the dearest: the base fee of a transaction is in them, and a quarter of margin, at most 100,000.',
    '',
    tableOf(['View or act', 'Gas'], rows),
  ]
}

function plain({ heirloom, plain: libraries }: Measurements): readonly string[] {
  const ours = gasOf(heirloom, 'mint')
  const rows = Object.entries(libraries).map(([name, gas]) => [
    name,
    formatNumber(gas),
    formatNumber(ours - gas),
  ])
  return [
    'What an ERC-721 token costs that records nothing but its owner, and what a mint here costs above it. It writes one new word where a memory writes three (content hash, digest, origin), and one log where a memory writes two.',
    '',
    tableOf(['Mint', 'Gas', 'A memory costs more'], rows),
  ]
}

function deployment({ heirloom, bytes }: Measurements): readonly string[] {
  const rows = Object.entries(bytes).map(([name, size]) => [
    name,
    formatNumber(size),
    ratio(size, 24_576),
  ])
  return [
    `One transaction deploys the pair for ${formatNumber(gasOf(heirloom, 'deploy the pair'))} gas.`,
    '',
    tableOf(['Contract', 'Bytes', 'Of the limit'], rows),
  ]
}

function floor(): readonly string[] {
  const price = (name: keyof typeof charges) => formatNumber(charges[name])
  return [
    'The floor is what the chain itself charges for an operation, whoever writes the contract and however well: nothing for computing, memory, locks, or touching anything twice. It is the sum of',
    '',
    `- ${price('transaction')} for the transaction, and its calldata at ${price('byte')} a byte, ${price('zeroByte')} a zero byte (a transaction that does little else pays ${price('leastByte')} and ${price('leastZeroByte')}; none of these does so little);`,
    `- ${price('createdWord')} for a new word, ${price('changedWord')} for a changed one, ${price('readWord')} for one that is only read;`,
    `- ${price('account')} for an account, and ${price('transfer')} more if it is paid (9,000, of which it is lent 2,300 and hands them back);`,
    `- ${price('log')} for a log, ${price('topic')} for each of its topics and ${price('logByte')} for each byte of its data;`,
    `- less ${price('clearedWordRefund')} for a word that is cleared.`,
    '',
    'It takes the design as given: the words of a token, and two contracts, of which one has to ask the other. `gas/floor.ts` has the words, accounts and payments that it counts for each operation; the logs and the calldata are those of the measured transaction.',
  ]
}

function gasOf(gas: Gas, operation: string): number {
  const amount = gas[operation]
  if (amount === undefined) throw new Error(`${operation} was not measured.`)
  return amount
}

function formatNumber(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',')
}

function ratio(value: number, base: number): string {
  return (value / base).toFixed(2)
}

/** Formats a Markdown table; a column whose first cell is a number is aligned right. */
function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rules = head.map((_, column) => (/^\d/.test(rows[0]?.[column] ?? '') ? '---:' : '---'))
  return markdownTable(head, rows, rules)
}
