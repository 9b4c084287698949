import { type TOptional, type TString, Type } from '@sinclair/typebox'
import { asJsonText } from '../arguments/coerce.ts'

/** Returns the schema of an argument that is a JSON text; a model may pass the value itself. */
export const jsonText = (description: string): TOptional<TString> =>
  Type.Optional({ ...Type.String({ description }), [asJsonText]: true })
