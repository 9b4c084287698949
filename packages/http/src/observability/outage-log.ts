import type { NodeResponse } from '@heirloom/adapters/ledger'
import { isFailure } from '@heirloom/core'
import type { FastifyBaseLogger } from 'fastify'

/** Logs an outage once, and not with every request and retry that meets it. */
export type OutageLog = {
  /** Logs that the node fell silent, and that it answers again. */
  observeNode(response: NodeResponse): void
  /** Logs a trouble that may come again and again. */
  trouble(error: unknown, message: string): void
  /** Returns whether a failure tells more than what was logged lately. */
  isNew(error: unknown, message: string): boolean
}

export declare namespace outageLog {
  type Options = {
    /** Returns the log; nothing is logged until there is one. */
    readonly logger: () => Pick<FastifyBaseLogger, 'warn' | 'info'> | undefined
    /** Returns the time in milliseconds. */
    readonly now?: () => number
  }
}

/** The time without a failure after which a node is reported as back, in milliseconds. */
const steadyTime = 5000

/** The time for which a repeated trouble is only counted, in milliseconds. */
const quietTime = 60_000

/** The most kinds of trouble that are told apart. */
const mostKinds = 200

/** Opens the log of outages. */
export function outageLog({ logger, now = Date.now }: outageLog.Options): OutageLog {
  const node = nodeLog(logger, now)
  const repeats = repeatFilter(now)
  const isNew = (error: unknown, message: string) => {
    if (node.isDown() && isOfNode(error)) return undefined
    return repeats(`${message} ${kindOf(error)}`)
  }
  return {
    observeNode: node.observe,
    isNew: (error, message) => isNew(error, message) !== undefined,
    trouble: (error, message) => {
      const log = logger()
      if (log === undefined) return
      const found = isNew(error, message)
      if (found === undefined) return
      log.warn({ err: error, ...(found.repeated > 0 && found) }, message)
    },
  }
}

function nodeLog(logger: outageLog.Options['logger'], now: () => number) {
  let outage: { readonly since: number; last: number; failed: number } | undefined
  const onFailure = (error: unknown) => {
    const log = logger()
    if (outage === undefined && log !== undefined) {
      outage = { since: now(), last: now(), failed: 0 }
      log.warn({ err: error }, 'the node does not answer; this is logged again once it does')
    }
    if (outage === undefined) return
    outage.last = now()
    outage.failed += 1
  }
  return {
    isDown: () => outage !== undefined,
    observe: (response: NodeResponse) => {
      if (!response.answered) return onFailure(response.error)
      // A node that answers some requests and drops others would fill the log with its recoveries.
      if (outage === undefined || now() - outage.last < steadyTime) return
      const { since, failed } = outage
      outage = undefined
      logger()?.info({ seconds: (now() - since) / 1000, failed }, 'the node answers again')
    },
  }
}

/** Returns a function that counts what repeats: `undefined` while a kind was reported lately. */
function repeatFilter(now: () => number) {
  const kinds = new Map<string, { at: number; repeated: number }>()
  return (kind: string): { readonly repeated: number } | undefined => {
    const known = kinds.get(kind)
    if (known !== undefined && now() - known.at < quietTime) {
      known.repeated += 1
      return undefined
    }
    if (kinds.size >= mostKinds) kinds.clear()
    kinds.set(kind, { at: now(), repeated: 0 })
    return { repeated: known?.repeated ?? 0 }
  }
}

/** The names of viem's errors for a node that did not answer. */
const unanswered: ReadonlySet<string> = new Set(['HttpRequestError', 'TimeoutError'])

/** Returns whether an error comes from a node that did not answer. */
const isOfNode = (error: unknown): boolean =>
  causesOf(error).some((it) => unanswered.has(it.name) || isFailure(it, 'ledger/unavailable'))

/** Returns what tells troubles apart: the names and codes of an error and its causes. */
const kindOf = (error: unknown): string =>
  causesOf(error)
    .map((it) => `${it.name} ${Object(it).code ?? ''}`)
    .join(', ')

function causesOf(error: unknown, depth = 0): readonly Error[] {
  if (!(error instanceof Error) || depth > 5) return []
  return [error, ...causesOf(error.cause, depth + 1)]
}
