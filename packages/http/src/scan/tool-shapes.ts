import { type Frame, pointerOf, type StringPlace } from './walk-strings.ts'

/** A string of a document that makes the object around it a call of a tool. */
type Shape = {
  readonly place: StringPlace
  readonly text: string
  readonly pointer: () => string
}

const types = /^(?:tool_use|server_tool_use|function_call|tool_call|tool_result|mcp_call)$/
const names = /^(?:function_call|tool_calls)$/

/** Names of members that hold recorded conversations, in which calls of tools have their place. */
const conversation =
  /^(?:messages?|content|tool_calls?|parts|histor(?:y|ies)|conversations?|chat(?:_messages)?|turns?|steps?|events?|mapping|items|outputs?|inputs?|transcripts?|runs?|traces?|responses?|choices|threads?|channel_values|kwargs|additional_kwargs|chunks?)$/i

/**
 * Returns what finds calls of tools that are values of a document: outside of a conversation, and
 * in an object without a role.
 */
export function toolShapeFinder() {
  const pending = new Map<Frame, Shape>()
  return {
    see: ({ place, text }: Omit<Shape, 'pointer'>, frames: readonly Frame[]): void => {
      const frame = frames.at(-1)
      if (frame === undefined || !isShape(place, text, frame) || pending.has(frame)) return
      if (frames.slice(0, -1).some(({ key }) => conversation.test(`${key}`))) return
      const pointer = pointerOf(frames)
      pending.set(frame, { place, text, pointer: () => pointer })
    },
    /** Returns the string that makes an object a call, at its end. */
    close: (frames: readonly Frame[]): Shape | undefined => {
      const frame = frames.at(-1)
      if (frame === undefined) return undefined
      const found = pending.get(frame)
      pending.delete(frame)
      return frame.names?.has('role') ? undefined : found
    },
  }
}

const isShape = ({ isName }: StringPlace, text: string, { key }: Frame): boolean =>
  isName ? names.test(text) : key === 'type' && types.test(text)
