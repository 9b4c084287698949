/** A metric: the sentence that explains it, and its labels. A unit is the end of its name. */
export type Metric<Label extends string = string> = {
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels: readonly Label[]
  /** The upper bounds of the buckets of a histogram, in ascending order. */
  readonly buckets?: readonly number[]
}

const counter = <const Label extends string = never>(help: string, labels: readonly Label[] = []) =>
  ({ kind: 'counter', help, labels }) as const

const gauge = <const Label extends string = never>(help: string, labels: readonly Label[] = []) =>
  ({ kind: 'gauge', help, labels }) as const

const histogram = <const Label extends string = never>(
  help: string,
  buckets: readonly number[],
  labels: readonly Label[] = [],
) => ({ kind: 'histogram', help, labels, buckets }) as const

const waits = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600]

/** The metrics of a server, in the order of `GET /metrics`; docs/metrics.md is made of them. */
export const metricTable = {
  heirloom_build_info: gauge(
    'Always 1; its labels are the version of the server, and the commit that it was built from',
    ['version', 'commit'],
  ),
  heirloom_chain_ceiling_blocks: gauge(
    'The blocks up to which the embedded chain suits the memory of this machine; absent for a chain elsewhere',
  ),
  heirloom_jobs_total: counter(
    'Writes that ended: mined and confirmed (`settled`), or refused before they were signed (`refused`)',
    ['end', 'tenant'],
  ),
  heirloom_jobs_forgotten: gauge('1 while jobs that this server saw are gone from the database'),
  heirloom_transactions_total: counter(
    'Transactions that were resent, replaced or cancelled, that stay at their price because a bound forbids more (`unreplaced`), or that lost their nonce to a foreign transaction (`lost`)',
    ['event', 'tenant'],
  ),
  heirloom_lane_open: gauge('Transactions that were sent and are not mined yet', ['tenant']),
  heirloom_lane_leads: gauge('1 if this process signs for the wallet, 0 if another one does', [
    'tenant',
  ]),
  heirloom_batch_size: histogram(
    'Writes in each signed transaction',
    [1, 2, 5, 10, 20, 50, 100, 200],
  ),
  heirloom_job_signed_seconds: histogram(
    'From acceptance to signature, of the write that waited longest in each transaction',
    waits,
  ),
  heirloom_job_settled_seconds: histogram(
    'From acceptance to confirmation, of the write that waited longest in each transaction',
    waits,
  ),
  heirloom_reorganisations_total: counter(
    'Reorganisations of the chain while writes were in progress',
  ),
  heirloom_rpc_errors_total: counter('Failed calls to the node or the job store; they are retried'),
  heirloom_head_number: gauge(
    'The newest block that was read; none is read while no write is in progress',
  ),
  heirloom_head_age_seconds: gauge(
    'The age of the newest block that was read, by its timestamp; absent until the first one',
  ),
  heirloom_wallet_balance_wei: gauge(
    'The balance of the agent wallet, to about 16 digits; absent while the chain does not answer',
    ['tenant'],
  ),
  heirloom_wallet_spent_today_wei: gauge(
    'What the wallet has spent or may still spend today (UTC); absent while the chain does not answer',
    ['tenant'],
  ),
  heirloom_wallet_shared: gauge(
    '1 once another program was seen to write with the wallet, whose writes have stopped here; 0 otherwise',
    ['tenant'],
  ),
  heirloom_http_request_duration_seconds: histogram(
    'The duration of requests, without streams; `route` is the pattern of the path, `none` for an unknown path',
    [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
    ['method', 'route', 'status'],
  ),
  heirloom_api_key_requests_total: counter('Requests with an API key of the server, by its name', [
    'key',
  ]),
  heirloom_catalogue_lag_blocks: gauge(
    'Blocks that the catalogue has not read, while it reads and while it cannot; absent at first',
  ),
  heirloom_catalogue_unconfirmed_blocks: gauge(
    'Blocks that the catalogue has read once and will compare with a second reading',
  ),
  heirloom_catalogue_doubtful_blocks: gauge(
    'Blocks whose events are in doubt, because answers of the node contradict each other or are missing',
  ),
  heirloom_catalogue_events_total: counter('Events of the contracts that the catalogue has read'),
  heirloom_catalogue_errors_total: counter(
    'Failures of the chain or of the database of the catalogue; it retries',
  ),
  heirloom_event_streams: gauge('Open event streams'),
  heirloom_webhook_deliveries_total: counter(
    'Events sent to webhooks: accepted (`delivered`), not accepted (`failed`), or held up by our own database (`trouble`)',
    ['end'],
  ),
  heirloom_seals: gauge(
    'Memories that were sealed for wallets that mint themselves: `unminted` ones, and those with a token (`minted`)',
    ['state'],
  ),
  heirloom_seal_bytes: gauge(
    'Bytes of the memories that were sealed for wallets that mint themselves',
    ['state'],
  ),
  heirloom_openings_unrecorded: gauge(
    'Openings of memories since the start that could not be recorded, because the job store was out of order or slow',
  ),
  heirloom_blocks: gauge(
    'Blocks of memories and cards on the disk of this machine; absent without BLOB_COPIES',
  ),
  heirloom_blocks_with_too_few_copies: gauge(
    'Those of them that fewer than BLOB_COPIES machines hold, as last counted; absent until then',
  ),
  heirloom_peer_bytes: gauge(
    'Bytes of blocks that a peer has stored here and not taken back, by its peer id',
    ['peer'],
  ),
  heirloom_peer_bytes_limit: gauge(
    'The bytes that each peer may store here; absent without BLOB_COPIES',
  ),
  heirloom_peer_copies_refused_total: counter(
    'Blocks of a peer that were refused, because it has stored too much or the disk is too full',
    ['peer'],
  ),
  heirloom_clock_ahead_seconds: gauge(
    "Seconds by which this machine's clock is ahead of the `database`, the `storage` (a bucket), or the newest block of the `chain`, which shows only one that is behind",
    ['clock'],
  ),
  heirloom_memories_without_key: gauge(
    'Memories that are stored here and sealed under keys that are not, as far as they are counted',
  ),
  heirloom_memories_lost: gauge(
    'Memories of the agent wallet whose blobs are missing or damaged, where only this server has them; on a chain elsewhere those that its folder minted, or all while a bucket has none',
    ['state'],
  ),
  heirloom_node_up: gauge(
    'Whether a node of RPC_URL, by its place in the list from 1 on, is used or could be: 1, or 0 while it is silent, behind, or shows another chain; absent on the embedded chain',
    ['place'],
  ),
  heirloom_node_height: gauge('The newest block that a node showed', ['place']),
  heirloom_node_lag_blocks: gauge(
    'The blocks that a node lacks, compared with the one that is ahead',
    ['place'],
  ),
  heirloom_packs: gauge(
    'Packs, which versions of memories share: those that are noted as stored, and those that were condemned in the last 90 days',
    ['state'],
  ),
  heirloom_packs_removed_total: counter(
    'Packs that no version needed, and that were removed from the storage of this server',
  ),
  heirloom_packs_unsure_wallets: gauge(
    'Wallets of this server whose packs all stay, because one of their memories cannot be read',
  ),
  heirloom_relayed_acts_total: counter(
    'Calls signed by other accounts that this server was to relay, by act and by result; a failure has its code',
    ['act', 'result'],
  ),
  heirloom_x402_answers_total: counter(
    'Answers to clients that pay by x402, by act and by result: required, refused, paid, or free where nothing was charged',
    ['act', 'result'],
  ),
  heirloom_key_service_seconds: histogram(
    'The time that the key service of AGENT_KEY_SERVICE took for an answer, by what it was asked for; a failure has its code as its result. Nothing where the key is on this machine',
    [0.001, 0.005, 0.02, 0.1, 0.5, 2, 5],
    ['operation', 'result'],
  ),
} as const satisfies Readonly<Record<string, Metric>>
