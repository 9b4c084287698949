import {
  type DocumentReader,
  documentStart,
  type Segment,
  surveySegment,
} from '../../packages/core/src/json/segments.ts'
import { encodeUtf8 } from '../../packages/core/src/json/utf8.ts'

/** Returns a reader of a document that is cut into pieces of these lengths in turn, which counts what is read. */
export function cutDocument(text: string, lengths: readonly number[]) {
  const bytes = encodeUtf8(text)
  const segments: Segment[] = []
  let from = documentStart
  for (let offset = 0, turn = 0; offset < bytes.length; turn++) {
    const piece = bytes.subarray(offset, offset + (lengths[turn % lengths.length] ?? 8192))
    const { survey, next } = surveySegment(piece, from)
    segments.push({ offset, length: piece.length, from, survey })
    from = next
    offset += piece.length
  }
  const read = new Set<number>()
  const reader: DocumentReader = {
    length: bytes.length,
    segments: async () => segments,
    read: async (index) => {
      read.add(index)
      const { offset, length } = segments[index] as Segment
      return bytes.slice(offset, offset + length)
    },
  }
  return { reader, read, count: segments.length }
}
