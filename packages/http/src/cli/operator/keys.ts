import { command, UsageError } from '../arguments/command.ts'
import type { KeysCall } from './keys/key-installation.ts'

const options = {
  'dry-run': { type: 'boolean', about: 'Show what would be done; change nothing.' },
  yes: { type: 'boolean', short: 'y', about: 'Do not ask before destroying a key.' },
  'old-masters-gone': {
    type: 'boolean',
    about:
      'With destroy: confirm that the master keys that wrapped the key no longer exist, nor any backup of them.',
  },
} as const

const actions = ['status', 'rotate', 'new', 'destroy', 'peer', 'agent']

const words = [
  { name: 'ACTION', about: 'status, rotate, new, destroy, peer or agent.', choices: actions },
  {
    name: 'ID',
    about: 'The sealing key to destroy, or several separated by commas.',
    optional: true,
  },
] as const

/** Shows and changes the sealing keys. */
export const keys = command({
  about: 'Shows, rotates, creates or destroys the keys that memories are sealed under.',
  more: [
    'Reads the same environment as the server. status lists the sealing keys and, when no server uses the folder, counts the memories of each; it exits with 1 when a key is missing or cannot be opened.',
    'rotate wraps all sealing keys under the first of MASTER_KEYS, in one step; leave the old master key in the list until then. new creates a key that seals from then on. destroy makes every memory under a key unreadable forever, and lists what is left to do. peer prints the peer id of IPFS_PEER_KEY, which other nodes put at the end of the address of this one. agent prints the address of the agent wallet; that of AGENT_KEY_SERVICE it asks of the service.',
  ],
  words,
  options,
  examples: {
    'List the sealing keys, their age and their master keys:': 'heirloom keys status',
    'Print the id of the key that seals:': `heirloom keys status --json | jq '.keys[] | select(.state == "sealing") | .id'`,
    'Show which keys would be wrapped again:': 'heirloom keys rotate --dry-run',
    'Print the peer id that a new key has:':
      'IPFS_PEER_KEY=$(openssl rand -hex 32) heirloom keys peer',
    'Print the address of the agent wallet:': 'heirloom keys agent',
    'Show which key would stop sealing:': 'heirloom keys new --dry-run',
  },
  isLocal: true,
  run: async (call) => {
    const { ACTION: action, ID: id } = call.words
    if ((action === 'destroy') !== (id !== undefined)) {
      throw new UsageError(
        'keys destroy needs the ID of a sealing key; the other actions take no ID.',
      )
    }
    return runAction(action, call)
  },
})

// Lazy imports: one action does not need the code of the others.
async function runAction(action: string, call: KeysCall): Promise<number> {
  switch (action) {
    case 'rotate':
      return (await import('./keys/rotate-keys.ts')).rotateKeys(call)
    case 'new':
      return (await import('./keys/rotate-keys.ts')).createKey(call)
    case 'destroy':
      return (await import('./keys/destroy-keys.ts')).destroyKeys(call)
    case 'peer':
      return (await import('./keys/show-agent.ts')).showPeerId(call)
    case 'agent':
      return (await import('./keys/show-agent.ts')).showAgent(call)
    default:
      return (await import('./keys/show-key-status.ts')).showKeyStatus(call)
  }
}
