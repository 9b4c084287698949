/** Words that other programs have for a command of this one. */
export const otherWords: Readonly<Record<string, readonly string[]>> = {
  browse: ['search', 'find', 'ls', 'listings', 'market'],
  buy: ['purchase', 'acquire'],
  download: ['get', 'open', 'fetch', 'pull', 'cat'],
  erase: ['delete', 'remove', 'forget', 'rm'],
  fork: ['derive', 'license', 'clone'],
  info: ['show', 'provenance', 'status', 'listing'],
  login: ['init', 'setup', 'keystore', 'account'],
  log: ['versions'],
  offer: ['sell', 'publish'],
  rent: ['lease', 'borrow'],
  serve: ['start', 'run', 'server', 'up'],
  snapshot: ['mint', 'create', 'push', 'upload', 'add'],
  transfer: ['send', 'give'],
  unlist: ['delist', 'cancel'],
  wallet: ['balance', 'address', 'whoami'],
}

/** Returns the command that a word of another program means; `undefined` when it means none. */
export const commandMeantBy = (word: string): string | undefined =>
  Object.keys(otherWords).find((command) => otherWords[command]?.includes(word))
