import { type Call, command } from '../arguments/command.ts'
import { UsageError } from '../arguments/usage-error.ts'

const options = {
  'dry-run': { type: 'boolean', about: 'Say what would be done, and change nothing.' },
  yes: { type: 'boolean', short: 'y', about: 'Do not ask before a key is destroyed.' },
  'old-masters-gone': {
    type: 'boolean',
    about:
      'With destroy: confirm that the master keys which wrapped the key are gone, with all backups.',
  },
} as const

const actions = ['status', 'rotate', 'new', 'destroy']

const words = [
  { name: 'ACTION', about: 'status, rotate, new or destroy.', choices: actions },
  { name: 'ID', about: 'The sealing key to destroy; a comma list names several.', optional: true },
] as const

/** What an action on the keys is called with. */
export type KeysCall = Call<'ACTION' | 'ID', typeof options>

/** Shows and changes the keys that memories are sealed under. */
export const keys = command({
  about: 'Shows the keys that memories are sealed under, changes the master key, destroys keys.',
  more: [
    'It reads the same environment as the server. status lists the sealing keys, and counts the memories of each where no server is using the folder; it ends with 1 when a key is missing or does not open.',
    'rotate wraps all sealing keys under the first of MASTER_KEYS, in one step; the old master key stays in the list until that is done. new makes another key that seals. destroy closes every memory under a key, for ever, and says what is still to be done.',
  ],
  words,
  options,
  examples: [
    { line: 'heirloom keys status', about: 'Every sealing key, its age and what wraps it:' },
    {
      line: `heirloom keys status --json | jq '.keys[] | select(.state == "sealing") | .id'`,
      about: 'The id of the one that seals:',
    },
    { line: 'heirloom keys rotate --dry-run', about: 'Which keys another master key would wrap:' },
    { line: 'heirloom keys new --dry-run', about: 'Which key would seal no more:' },
  ],
  isLocal: true,
  run: async (call) => {
    const { ACTION: action, ID: id } = call.words
    if ((action === 'destroy') !== (id !== undefined)) {
      throw new UsageError(
        'keys destroy takes the ID of a sealing key; the other actions take none.',
      )
    }
    return act(action, call)
  },
})

// Loaded when it is called: most commands need no keys.
async function act(action: string, call: KeysCall): Promise<number> {
  switch (action) {
    case 'rotate':
      return (await import('./rotate-keys.ts')).rotateKeys(call)
    case 'new':
      return (await import('./create-key.ts')).newKey(call)
    case 'destroy':
      return (await import('./destroy-keys.ts')).destroyKeys(call)
    default:
      return (await import('./show-key-status.ts')).keysStatus(call)
  }
}
