import { createPublicClient, type Hex, http } from 'viem'
import type { Lie, LyingProxy } from './lying-proxy.ts'

type Receipt = {
  readonly transactionHash: Hex
  readonly blockHash: Hex
  readonly logs: readonly { readonly transactionHash: Hex }[]
}

const noBloom = `0x${'00'.repeat(256)}`

export type Wrong = (truth: Receipt, earlier: Receipt) => unknown

/** The answers of a node for a transaction that it mined, from the truth and an earlier receipt. */
export const wrongs: Readonly<Record<string, Wrong>> = {
  'no events beside their bloom': (truth) => ({ ...truth, logs: [] }),
  'no events and no bloom': (truth) => ({ ...truth, logs: [], logsBloom: noBloom }),
  'a failure': (truth) => ({ ...truth, status: '0x0' }),
  'a failure without events beside their bloom': (truth) => ({ ...truth, status: '0x0', logs: [] }),
  'a failure without events or bloom': (truth) => ({
    ...truth,
    status: '0x0',
    logs: [],
    logsBloom: noBloom,
  }),
  'the events of another': (truth, { logs }) => ({ ...truth, logs }),
  'the events and the bloom of another': (truth, earlier) => ({ ...truth, ...eventsOf(earlier) }),
  'the events of another, as if of this one': (truth, earlier) => {
    const { transactionHash, blockHash } = truth
    const { logs, ...bloom } = eventsOf(earlier)
    const renamed = logs.map((log) => ({ ...log, transactionHash, blockHash }))
    return { ...truth, ...bloom, logs: renamed }
  },
  'the receipt of another': (_, earlier) => earlier,
  'a block that the chain does not have': (truth) => {
    const blockHash = `0x${'ab'.repeat(32)}`
    return { ...truth, blockHash, logs: truth.logs.map((log) => ({ ...log, blockHash })) }
  },
  'no number of a block': ({ ...truth }) => ({ ...truth, blockNumber: null }),
  'a status of no chain': ({ ...truth }) => ({ ...truth, status: '0x2' }),
  'neither success nor failure': ({ ...truth }) => ({ ...truth, status: null }),
  'no gas spent': (truth) => ({ ...truth, gasUsed: '0x0' }),
  'an empty object': () => ({}),
}

const eventsOf = ({ logs, ...receipt }: Receipt) => {
  const { logsBloom } = receipt as { readonly logsBloom?: Hex }
  return { logs, logsBloom }
}

/** Lets a node tell a wrong receipt of every new transaction, so many times; returns the count. */
export async function lieAboutReceipts(
  proxy: LyingProxy,
  { wrong, times }: { readonly wrong: Wrong; readonly times: number },
): Promise<{ readonly times: number }> {
  const client = createPublicClient({ transport: http(proxy.url.href), cacheTime: 0 })
  const [hash = '0x'] = (await client.getBlock()).transactions
  const earlier = (await client.request({
    method: 'eth_getTransactionReceipt',
    params: [hash],
  })) as unknown as Receipt
  const sent = { times: 0 }
  const lie: Lie = ({ method, params }, truth) => {
    if (method !== 'eth_getTransactionReceipt' || truth === null) return truth
    if (params[0] === hash || sent.times >= times) return truth
    sent.times += 1
    return wrong(truth, earlier)
  }
  proxy.lie(lie)
  return sent
}
