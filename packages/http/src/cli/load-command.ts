import type { Command, NamedCommands } from './arguments/command.ts'

// Each command is loaded when it is called, so that it does not wait for the imports of others.
const loaders = {
  serve: async () => (await import('./commands/serve.ts')).serve,
  snapshot: async () => (await import('./commands/snapshot.ts')).snapshot,
  download: async () => (await import('./commands/download.ts')).download,
  save: async () => (await import('./commands/save.ts')).save,
  log: async () => (await import('./commands/log.ts')).log,
  names: async () => (await import('./commands/names.ts')).names,
  diff: async () => (await import('./commands/diff.ts')).diff,
  merge: async () => (await import('./commands/merge.ts')).merge,
  outline: async () => (await import('./commands/outline.ts')).outline,
  part: async () => (await import('./commands/part.ts')).part,
  'search-in': async () => (await import('./commands/search-in.ts')).searchIn,
  import: async () => (await import('./commands/import.ts')).importCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  scan: async () => (await import('./commands/scan.ts')).scan,
  verify: async () => (await import('./commands/verify.ts')).verify,
  info: async () => (await import('./commands/info.ts')).info,
  lineage: async () => (await import('./commands/lineage.ts')).lineage,
  browse: async () => (await import('./commands/browse.ts')).browse,
  facets: async () => (await import('./commands/facets.ts')).facets,
  excerpts: async () => (await import('./commands/excerpts.ts')).excerpts,
  activity: async () => (await import('./commands/activity.ts')).activity,
  history: async () => (await import('./commands/history.ts')).history,
  rentals: async () => (await import('./commands/rentals.ts')).rentals,
  ratings: async () => (await import('./commands/ratings.ts')).ratings,
  integrity: async () => (await import('./commands/integrity.ts')).integrity,
  events: async () => (await import('./commands/events.ts')).events,
  list: async () => (await import('./commands/list.ts')).list,
  offer: async () => (await import('./commands/offer.ts')).offer,
  unlist: async () => (await import('./commands/unlist.ts')).unlist,
  buy: async () => (await import('./commands/buy.ts')).buy,
  rent: async () => (await import('./commands/rent.ts')).rent,
  fork: async () => (await import('./commands/fork.ts')).fork,
  royalty: async () => (await import('./commands/royalty.ts')).royalty,
  login: async () => (await import('./commands/login.ts')).login,
  transfer: async () => (await import('./commands/transfer.ts')).transfer,
  erase: async () => (await import('./commands/erase.ts')).erase,
  rate: async () => (await import('./commands/rate.ts')).rate,
  earnings: async () => (await import('./commands/earnings.ts')).earnings,
  credit: async () => (await import('./commands/credit.ts')).credit,
  withdraw: async () => (await import('./commands/withdraw.ts')).withdraw,
  faucet: async () => (await import('./commands/faucet.ts')).faucet,
  heir: async () => (await import('./commands/heir.ts')).heir,
  wallet: async () => (await import('./commands/wallet.ts')).wallet,
  deployment: async () => (await import('./commands/deployment.ts')).deployment,
  operator: async () => (await import('./commands/operator.ts')).operator,
  webhook: async () => (await import('./commands/webhook.ts')).webhook,
  mcp: async () => (await import('./commands/mcp.ts')).mcp,
  deploy: async () => (await import('./commands/deploy.ts')).deploy,
  migrate: async () => (await import('./commands/migrate.ts')).migrate,
  'api-key': async () => (await import('./commands/api-key.ts')).apiKey,
  keys: async () => (await import('./keys/keys.ts')).keys,
  tenants: async () => (await import('./tenants/tenants.ts')).tenants,
  backup: async () => (await import('./commands/backup.ts')).backup,
  restore: async () => (await import('./commands/restore.ts')).restore,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  chain: async () => (await import('./commands/chain.ts')).chain,
  blocks: async () => (await import('./commands/blocks.ts')).blocks,
  completion: async () => (await import('./completion.ts')).completion,
} satisfies Readonly<Record<string, () => Promise<Command>>>

type CommandName = keyof typeof loaders

/** The names of all commands, in the order of the help. */
export const commandNames = Object.keys(loaders) as readonly CommandName[]

/** A heading of the help, by the first of the commands below it. */
export const groupHeadings = {
  serve: 'Start',
  snapshot: 'Your memories',
  info: 'The market, for everybody',
  list: 'Trade',
  login: 'Your own wallet',
  wallet: 'The server that you use',
  deploy: 'A server of your own',
  completion: 'Your shell',
} as const satisfies Partial<Readonly<Record<CommandName, string>>>

/** Loads a command by its name; returns undefined when there is none. */
export async function loadCommand(name: string): Promise<Command | undefined> {
  const known = commandNames.find((it) => it === name)
  return known && (await loaders[known]())
}

/** Loads all commands, with their names. */
export async function loadCommands(): Promise<NamedCommands> {
  return Promise.all(commandNames.map(async (name) => [name, await loaders[name]()] as const))
}
