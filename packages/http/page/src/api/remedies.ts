/** What a person can do about a refusal of the server. */
export const remedies: Readonly<Record<string, string>> = {
  'access/copied':
    'This token shows a copy of another memory, and opens nothing. Look for the original by its content hash.',
  'access/denied':
    'Only its owner and those who rent it now can open a memory. Buy it, rent it, or connect the wallet that has it.',
  'api-key/call-limit': 'Ask the keeper of this server to raise what your API key may spend.',
  'api-key/day-limit': 'Try again tomorrow, or ask the keeper of this server to raise the limit.',
  'api-key/out-of-scope': 'Ask the keeper of this server for an API key that may do this.',
  'blob/corrupt': 'Tell the keeper of this server: a copy of the block from elsewhere mends it.',
  'blob/not-found': 'Tell the keeper of this server: the sealed block is missing from its storage.',
  'blob/unavailable': 'Wait a moment and try again.',
  'bundle/altered': 'Do not trust this memory, and tell the keeper of this server.',
  'bundle/malformed': 'Look at the file: data and metadata must be JSON objects.',
  'bundle/unreadable': 'Tell the keeper of this server: a master key is missing.',
  'card/malformed': 'Change the card as the sentence says, and send it again.',
  'catalogue/busy': 'Wait a moment and try again.',
  'catalogue/too-costly': 'Search for longer words, or wait a moment and try again.',
  'catalogue/unavailable': 'Wait a moment and try again.',
  'json/malformed': 'Look at the file: it is not JSON in UTF-8.',
  'json/too-deep': 'Nest the file less deep.',
  'ledger/unavailable': 'The chain does not answer; wait a moment and try again.',
  'proof/not-signed': 'Sign with the wallet that is connected, and try again.',
  'proof/stale': 'Set the clock of this device, then sign again.',
  'request/not-authorized':
    'Ask the keeper of this server for an API key and enter it where the page asks for it.',
  'request/too-large':
    'Choose a smaller file, or ask the keeper of this server for a higher limit.',
  'request/too-many':
    'The server bounds what each visitor may ask, and answers again a little later.',
  'service/busy': 'Wait a moment and try again.',
  'service/stopping': 'The server is restarting; wait a moment and try again.',
  'token/not-found': 'Look at the number, or find the memory by searching.',
  'transaction/unconfirmed': 'Look at your memories before trying again: it may yet be made.',
  'wallet/call-limit': 'Ask the keeper of this server to raise what its wallet may spend.',
  'wallet/day-limit': 'Try again tomorrow, or ask the keeper of this server to raise the limit.',
  'wallet/short': "Ask the keeper of this server to fund the server's wallet.",
}

export const anyRemedy = 'Try again; if it stays so, tell the keeper of this server.'
