import type { Static, TSchema } from '@sinclair/typebox'

/** The static type of a schema, readonly at every depth. */
export type ReadonlyStatic<Schema extends TSchema> = DeepReadonly<Static<Schema>>

type DeepReadonly<T> = T extends object ? { readonly [name in keyof T]: DeepReadonly<T[name]> } : T
