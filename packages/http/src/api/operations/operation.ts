import type { FailureCode } from '@heirloom/core'
import type { TObject, TSchema } from '@sinclair/typebox'
import { anyWrite } from '../problem.ts'
import { WriteHeaders } from '../schemas/schema-parts.ts'

/** The scope of the API key that an operation requires where a server has keys; `anyone` needs none. */
export type Permission = 'read' | 'write' | 'admin' | 'anyone'

/** The act of `OPEN_ACTS` that opens an operation to anyone: a wallet's proof is enough. */
export type OpenedBy = 'seal' | 'relay'

/** An operation of the HTTP interface, besides its method and path. */
export type Operation = {
  readonly tag: 'memory' | 'names' | 'marketplace' | 'events' | 'server'
  readonly summary: string
  readonly description: string
  readonly scope: Permission
  readonly openedBy?: OpenedBy
  /** The security requirements in the OpenAPI document; none when absent. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly params?: TObject
  readonly query?: TObject
  readonly headers?: TObject
  readonly body?: TSchema
  /** The answers of success, by their status; the first is that of a plain handler. */
  readonly answers: Readonly<Record<number, object>>
  readonly failures: readonly FailureCode[]
}

/** Only an API key is needed, where the server has keys. */
export const byKey = [{}, { apiKey: [] }] as const

/** The three headers of an access proof are needed. */
export const byProof = [{ walletAddress: [], walletSignature: [], walletTimestamp: [] }] as const

/** Defines a read that anyone may make. */
export const read = <const Row extends Omit<Operation, 'scope'>>(row: Row) => ({
  scope: 'anyone' as const,
  ...row,
})

/** Defines a write that the agent wallet pays, once for an idempotency key. */
export const write = <const Row extends Omit<Operation, 'scope' | 'security' | 'headers'>>(
  row: Row,
) => ({
  ...row,
  scope: 'write' as const,
  security: byKey,
  headers: WriteHeaders,
  failures: [...anyWrite, ...row.failures],
})

/** Defines an operation with a scope of its own. */
export const operation = <const Row extends Operation>(row: Row): Row => row
