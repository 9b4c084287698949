import { type Pkcs11Answer, type Pkcs11Call, WrongSetting } from './pkcs11-call.ts'
import { openTokenKey, type TokenKey } from './pkcs11-token.ts'

// A PKCS#11 module is native code that blocks, and may hang or crash: so it has a process of its own,
// which the server ends and starts anew. It ends with the server, however that ends.
process.on('disconnect', () => process.exit())
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => undefined)

let key: TokenKey | undefined

function handle(call: Pkcs11Call): Uint8Array {
  if (call.kind === 'open') {
    key = openTokenKey(call.place, call.pin)
    return new Uint8Array()
  }
  if (key === undefined) throw new Error('no token is open')
  return call.kind === 'sign' ? key.sign(call.digest) : key.publicKey()
}

function answerTo(call: Pkcs11Call): Pkcs11Answer {
  try {
    return { kind: 'done', bytes: handle(call) }
  } catch (error) {
    const { message } = error as Error
    if (!(error instanceof WrongSetting)) return { kind: 'down', reason: message }
    return { kind: 'wrong', setting: error.setting, problem: message }
  }
}

process.on('message', (call: Pkcs11Call) => process.send?.(answerTo(call)))
