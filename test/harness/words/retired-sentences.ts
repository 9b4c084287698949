/** Sentences that readers stumbled over, and that no message or document says again. */
export const retiredSentences: readonly string[] = [
  'stops being UTF-8 JSON',
  'names nothing that can be read',
  'Memories are opened by an account',
  'The server did not answer GET',
  'A amount is',
  'Nobody can be asked here',
  'Every byte of it comes back',
  'What it holds.',
  'does not come by itself',
  'may be done all the same',
  'what the catalogue knows is answered',
  'mines its history again',
]
