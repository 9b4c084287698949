import { gistOf, type Message } from './messages.ts'

/**
 * Returns the messages of a prompt that are not recalled yet. A prompt may have the new message alone,
 * or with any of those before it.
 */
export function freshOf(
  recalled: readonly Message[],
  prompt: readonly Message[],
): readonly Message[] {
  const [known, given] = [recalled.map(gistOf), prompt.map(gistOf)]
  let most = 0
  for (let start = 0; start < known.length; start += 1) {
    const length = commonLength(known, start, given)
    // One equal message alone is a message that was sent before, unless nothing came after it.
    if (length >= 2 || start + length === known.length) most = Math.max(most, length)
  }
  return prompt.slice(most)
}

function commonLength(known: readonly string[], start: number, given: readonly string[]): number {
  const differs = given.findIndex((gist, at) => gist !== known[start + at])
  return differs === -1 ? given.length : differs
}

/** Returns the last messages, at most so many, from a message of the user on. */
export function lastMessages(messages: readonly Message[], most: number): readonly Message[] {
  if (messages.length <= most) return messages
  const last = messages.slice(messages.length - most)
  const start = last.findIndex(({ role }) => role === 'user')
  // Without its call the result of a tool is refused by models.
  return start === -1 ? [] : last.slice(start)
}
