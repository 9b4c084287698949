import type { Static, TSchema } from '@sinclair/typebox'
import type { ReadonlyStatic } from '../schemas/schema-parts.ts'
import { accountOperations } from './accounts.ts'
import { catalogueOperations, ratingOperations } from './catalogue.ts'
import { grantOperations } from './grants.ts'
import { marketOperations } from './market.ts'
import { memoryOperations } from './memory.ts'
import { nameOperations } from './names.ts'
import type { Operation } from './operation.ts'
import type { OperationName } from './paths.ts'
import { serverOperations, webhookOperations } from './server.ts'

/**
 * Every operation of the HTTP interface. Routes, permissions, the OpenAPI document and the types of
 * requests come from it.
 */
export const operations = {
  ...memoryOperations,
  ...nameOperations,
  ...grantOperations,
  ...marketOperations,
  ...catalogueOperations,
  ...ratingOperations,
  ...accountOperations,
  ...serverOperations,
  ...webhookOperations,
} as const satisfies Readonly<Record<OperationName, Operation>>

type Operations = typeof operations

type MemberOf<name extends OperationName, member extends string> = Operations[name] extends {
  readonly [it in member]: infer schema extends TSchema
}
  ? Static<schema>
  : unknown

/** The parts of a request for an operation, as its schemas describe them. */
export type RequestOf<name extends OperationName> = {
  readonly params: MemberOf<name, 'params'>
  readonly query: MemberOf<name, 'query'>
  readonly headers: MemberOf<name, 'headers'>
  readonly body: MemberOf<name, 'body'>
}

type AnswersOf<name extends OperationName> = Operations[name]['answers']

type AnswerSchema<name extends OperationName> = Extract<
  AnswersOf<name>[keyof AnswersOf<name>],
  TSchema
>

/** The body of a successful answer to an operation, as a client reads it. */
export type Answer<name extends OperationName> = ReadonlyStatic<AnswerSchema<name>>

/** The body of a successful answer to an operation, as a handler returns it. */
export type AnswerOf<name extends OperationName> = [AnswerSchema<name>] extends [never]
  ? unknown
  : Static<AnswerSchema<name>>
