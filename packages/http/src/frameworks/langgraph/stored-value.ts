import type { SerializerProtocol } from '@langchain/langgraph-checkpoint'
import { base64Of, bytesOfBase64 } from '../base64.ts'

/** A value as its serializer wrote it: JSON as it is, anything else as bytes in Base64. */
export type StoredValue =
  | { readonly json: unknown }
  | { readonly type: string; readonly bytes: string }

/** Encodes a value with a serializer. */
export async function storeValue(serde: SerializerProtocol, value: unknown): Promise<StoredValue> {
  const [type, bytes] = await serde.dumpsTyped(value)
  if (type === 'json') return { json: JSON.parse(new TextDecoder().decode(bytes)) }
  return { type, bytes: base64Of(bytes) }
}

/** Decodes a value with a serializer. */
export async function loadValue(serde: SerializerProtocol, value: StoredValue): Promise<unknown> {
  if ('json' in value) return serde.loadsTyped('json', JSON.stringify(value.json))
  return serde.loadsTyped(value.type, bytesOfBase64(value.bytes))
}
