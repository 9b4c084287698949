import { Type } from '@sinclair/typebox'

/** The argument that says where a result goes on. */
export const afterArgument = Type.Optional(
  Type.String({ maxLength: 12_000, description: '`next` of the last result.' }),
)

/** Returns the argument that bounds the items of a result. */
export const limitArgument = (usual: number, most: number) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: most, description: `Default ${usual}.` }))
