import type { OperatorRecord } from '../../../src/api/schemas/operator-schemas.ts'
import type { ReadonlyStatic } from '../../../src/api/schemas/schema-parts.ts'
import { fetchOk } from '../api/get-json.ts'
import { keyHeaders } from '../create/access-key.ts'

/** The tenants and the last failures of a server. */
export type Operator = ReadonlyStatic<typeof OperatorRecord>

/** Fetches a path with the access key of the operator, if there is one. */
export const fetchAsOperator = (path: string, signal: AbortSignal): Promise<Response> =>
  fetchOk(path, { headers: keyHeaders(), cache: 'no-store', signal })

/** The parts of a server, each with `ok` or the code of its failure, and the nodes of its chain. */
export type Health = {
  readonly components: Readonly<Record<string, string>>
  readonly nodes?: readonly {
    readonly place: number
    readonly state: string
    readonly height?: number
    readonly lag?: number
  }[]
}

/** Reads the health of the server, which it tells with 503 where a part is down. */
export async function readHealth(signal: AbortSignal): Promise<Health> {
  const response = await fetch('/readyz', { cache: 'no-store', signal })
  return (await response.json()) as Health
}

/** A value of a metric with its labels. */
type Sample = {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const sample = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/

/** Reads metrics in the text format of Prometheus (0.0.4); lines that are none are left out. */
export function readMetrics(text: string): readonly Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = sample.exec(line) ?? []
    return name === undefined ? [] : [{ name, labels: readLabels(labels), value: Number(value) }]
  })
}

const readLabels = (text: string): Sample['labels'] =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [
      name,
      value.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character)),
    ]),
  )

type Shown = {
  readonly name: string
  readonly what: string
  /** The remedy where it is above zero, if it should not be. */
  readonly remedy?: string
}

const shown: readonly Shown[] = [
  { name: 'heirloom_jobs_total', what: 'Writes since the start' },
  { name: 'heirloom_lane_open', what: 'Transactions that are not mined yet' },
  { name: 'heirloom_transactions_total', what: 'Transactions' },
  {
    name: 'heirloom_wallet_shared',
    what: 'Wallets that are used elsewhere, too',
    remedy: 'Give each program a wallet of its own.',
  },
  { name: 'heirloom_catalogue_lag_blocks', what: 'Blocks that the catalogue has not read' },
  { name: 'heirloom_memories_lost', what: 'Memories with lost bytes', remedy: 'Restore a backup.' },
  { name: 'heirloom_memories_without_key', what: 'Memories without a key', remedy: 'Restore it.' },
  { name: 'heirloom_blocks', what: 'Blocks on this disk' },
  {
    name: 'heirloom_blocks_with_too_few_copies',
    what: 'Blocks with too few copies',
    remedy: 'Bring back the machines that are missing.',
  },
  { name: 'heirloom_seals', what: 'Seals for wallets' },
  { name: 'heirloom_event_streams', what: 'Open event streams' },
  { name: 'heirloom_webhook_deliveries_total', what: 'Webhook deliveries' },
]

/** Returns the numbers that an operator looks at first, those with labels one by one. */
export function operatorFigures(samples: readonly Sample[]) {
  return shown.flatMap(({ name, what, remedy }) =>
    samples
      .filter((it) => it.name === name)
      .map(({ labels, value }) => {
        const named = Object.values(labels).filter((text) => text !== '')
        return { what: [what, ...named].join(' · '), value, ...(value > 0 && { remedy }) }
      }),
  )
}
