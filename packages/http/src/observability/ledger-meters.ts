import type { LaneEvent } from '@heirloom/adapters/ledger'
import type { Wei } from '@heirloom/core'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** The meters of writes, of the chain and of the wallet. */
export type LedgerMeters = {
  /** Counts an event of the lane of a tenant, or of the server itself. */
  observe(event: LaneEvent, tenant?: string): void
  /** Sets the age of the newest block. */
  setHeadAge(): void
  /** Sets the gauges of the wallet of a tenant, or of the server itself; removes them without a state. */
  setWallet(
    wallet: { readonly balance: Wei; readonly spentToday: Wei } | undefined,
    tenant?: string,
  ): void
  /** Sets whether another program writes with the wallet of a tenant, or of the server itself. */
  setShared(isShared: boolean, tenant?: string): void
}

/** Registers the meters of writes, of the chain and of the wallet. */
export function ledgerMeters(registry: Registry, now: () => number): LedgerMeters {
  const meters = { ...laneMeters(registry), ...chainMeters(registry) }
  const wallet = walletMeters(registry)
  let headAt: bigint | undefined
  return {
    observe: (event, tenant) => {
      if (event.kind === 'head') headAt = event.timestamp
      count(meters, event, labelsOf(tenant))
    },
    setHeadAge: () => {
      if (headAt !== undefined) meters.headAge.set(now() / 1000 - Number(headAt))
    },
    setShared: (isShared, tenant) => wallet.shared.set(labelsOf(tenant), isShared ? 1 : 0),
    setWallet: (state, tenant) => {
      setOrRemove(wallet.balance, state?.balance, labelsOf(tenant))
      setOrRemove(wallet.spent, state?.spentToday, labelsOf(tenant))
    },
  }
}

type Labels = { readonly tenant?: string }

/** Returns the labels of a wallet: the server's own has none, as where there are no tenants. */
const labelsOf = (tenant: string | undefined): Labels => (tenant === undefined ? {} : { tenant })

type Meters = ReturnType<typeof laneMeters> & ReturnType<typeof chainMeters>

function count(meters: Meters, event: LaneEvent, labels: Labels): void {
  switch (event.kind) {
    case 'signed':
      meters.batch.observe(event.jobs.length)
      meters.signed.observe(event.waited / 1000)
      break
    case 'settled':
      meters.jobs.inc({ end: 'settled', ...labels }, event.jobs.length)
      meters.settled.observe(event.waited / 1000)
      break
    case 'refused':
      meters.jobs.inc({ end: 'refused', ...labels }, event.jobs.length)
      break
    case 'reorganised':
      meters.reorganisations.inc()
      break
    case 'leads':
      meters.leads.set(labels, event.leads ? 1 : 0)
      // What is open is the leader's from then on.
      if (!event.leads) meters.open.set(labels, 0)
      break
    case 'slots':
      meters.open.set(labels, event.open)
      break
    case 'head':
      meters.headNumber.set(Number(event.number))
      break
    case 'trouble':
      meters.errors.inc()
      break
    default:
      meters.transactions.inc({ event: event.kind, ...labels })
  }
}

const waitBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600]

function laneMeters(registry: Registry) {
  const registers = [registry]
  const jobs = new Counter({
    registers,
    name: 'heirloom_jobs_total',
    help: 'Writes that ended: mined and confirmed (`settled`), or refused before they were signed (`refused`)',
    labelNames: ['end', 'tenant'],
  })
  const transactions = new Counter({
    registers,
    name: 'heirloom_transactions_total',
    help: 'Transactions that were resent, replaced or cancelled, that stay at their price because a bound forbids more (`unreplaced`), or that lost their nonce to a foreign transaction (`lost`)',
    labelNames: ['event', 'tenant'],
  })
  for (const end of ['settled', 'refused']) jobs.inc({ end }, 0)
  for (const event of ['resent', 'replaced', 'cancelled', 'unreplaced', 'lost'])
    transactions.inc({ event }, 0)
  return { jobs, transactions, ...gauges(registers), ...histograms(registers) }
}

function gauges(registers: Registry[]) {
  const open = new Gauge({
    registers,
    name: 'heirloom_lane_open',
    help: 'Transactions that were sent and are not mined yet',
    labelNames: ['tenant'],
  })
  const leads = new Gauge({
    registers,
    name: 'heirloom_lane_leads',
    help: '1 if this process signs for the wallet, 0 if another one does',
    labelNames: ['tenant'],
  })
  // A gauge with labels has no value of its own at first.
  for (const gauge of [open, leads]) gauge.set(0)
  return { open, leads }
}

function histograms(registers: Registry[]) {
  const batch = new Histogram({
    registers,
    name: 'heirloom_batch_size',
    help: 'Writes in each signed transaction',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200],
  })
  const signed = new Histogram({
    registers,
    name: 'heirloom_job_signed_seconds',
    help: 'From acceptance to signature, of the write that waited longest in each transaction',
    buckets: waitBuckets,
  })
  const settled = new Histogram({
    registers,
    name: 'heirloom_job_settled_seconds',
    help: 'From acceptance to confirmation, of the write that waited longest in each transaction',
    buckets: waitBuckets,
  })
  return { batch, signed, settled }
}

function chainMeters(registry: Registry) {
  const registers = [registry]
  const reorganisations = new Counter({
    registers,
    name: 'heirloom_reorganisations_total',
    help: 'Reorganisations of the chain while writes were in progress',
  })
  const errors = new Counter({
    registers,
    name: 'heirloom_rpc_errors_total',
    help: 'Failed calls to the node or the job store; they are retried',
  })
  const headNumber = new Gauge({
    registers,
    name: 'heirloom_head_number',
    help: 'The newest block that was read; none is read while no write is in progress',
  })
  const headAge = new Gauge({
    registers,
    name: 'heirloom_head_age_seconds',
    help: 'The age of the newest block that was read, by its timestamp; absent until the first one',
  })
  for (const gauge of [headNumber, headAge]) gauge.remove()
  return { reorganisations, errors, headNumber, headAge }
}

function walletMeters(registry: Registry) {
  const registers = [registry]
  const balance = new Gauge({
    registers,
    name: 'heirloom_wallet_balance_wei',
    help: 'The balance of the agent wallet, to about 16 digits; absent while the chain does not answer',
    labelNames: ['tenant'],
  })
  const spent = new Gauge({
    registers,
    name: 'heirloom_wallet_spent_today_wei',
    help: 'What the wallet has spent or may still spend today (UTC); absent while the chain does not answer',
    labelNames: ['tenant'],
  })
  const shared = new Gauge({
    registers,
    name: 'heirloom_wallet_shared',
    help: '1 once another program was seen to write with the wallet, whose writes have stopped here; 0 otherwise',
    labelNames: ['tenant'],
  })
  shared.set(0)
  return { balance, spent, shared }
}

function setOrRemove(gauge: Gauge<'tenant'>, amount: bigint | undefined, labels: Labels): void {
  if (amount === undefined) gauge.remove(labels)
  else gauge.set(labels, Number(amount))
}
