import { command, UsageError } from '../arguments/command.ts'

const options = {
  to: {
    type: 'string',
    value: 'FILE',
    file: true,
    about: 'The environment of the new server, as lines NAME=value.',
  },
  'dry-run': { type: 'boolean', about: 'Show what it would do and cost; send nothing.' },
  status: { type: 'boolean', about: 'Show the new id of each token that was carried over.' },
  keys: {
    type: 'string',
    value: 'FILE',
    file: true,
    about: 'A file with private keys of further creators and owners, one in each line.',
  },
  'no-listings': { type: 'boolean', about: 'Carry over no listings.' },
  yes: { type: 'boolean', short: 'y', about: 'Do not ask before the first transaction.' },
} as const

/** Carries over the memories of an installation to other contracts. */
export const migrate = command({
  about: 'Carries over all memories to other contracts, on the same chain or another one.',
  more: [
    'Reads the environment of the old server; stop both servers first. Creators, owners, lineage, cards, running rentals and content hashes stay; token ids do not. The wallet of the new server pays. A token goes only if the key of its creator is here: that of the old or the new server, or one of --keys. Listings go if the key of their owner is here.',
    'It can be interrupted at any time: the same command goes on, and does nothing twice. Run it again later to carry over what is new since, or could not go before. The old contracts, and the old server, still work.',
  ],
  words: [],
  options,
  examples: {
    'Show what it would do and cost:': 'heirloom migrate --to new.env --dry-run',
    'Carry over, without a question:': 'heirloom migrate --to new.env --yes',
    'Show the old and the new id of each token:': 'heirloom migrate --to new.env --status',
  },
  isLocal: true,
  run: async (call) => {
    const { to } = call.options
    if (to === undefined)
      throw new UsageError('heirloom migrate needs --to FILE, as in --to new.env.')
    const { runMigrate } = await import('./migrate/migrate-command.ts')
    return runMigrate(call, to)
  },
})
