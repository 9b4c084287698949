import { effect } from '@preact/signals'
import { render } from 'preact'
import { subscribeToChanges } from './api/changes.ts'
import { loadDeployment } from './api/deployment.ts'
import { App } from './app.tsx'
import { keepFocus } from './keep-focus.ts'
import { applyTheme } from './masthead.tsx'
import { listenForShortcuts } from './palette/shortcuts.ts'
import { interceptLinks } from './route.ts'
import { announcedWallets, discoverWallets, isReconnecting } from './wallet/connected-wallet.ts'
import { detectRpc, hasRpc } from './wallet/rpc-provider.ts'

applyTheme()
interceptLinks()
keepFocus()
listenForShortcuts()
discoverWallets()
subscribeToChanges()

const container = document.getElementById('page')
if (container !== null) render(<App />, container)

const settled = () => {
  isReconnecting.value = false
}
// A wallet or a node that does not answer holds up nothing for longer, in milliseconds.
setTimeout(settled, 1_000)

/**
 * Connects the wallet of the last visit. The module does not await it: what is imported here imports
 * from this file and would wait for it in turn.
 */
async function restoreWallet(): Promise<void> {
  await detectRpc((await loadDeployment()).chainId)
  if (localStorage.getItem('heirloom.wallet') === null) return
  const { reconnect } = await import('./wallet/connect-wallet.ts')
  // Wallets may announce themselves late.
  effect(() => {
    reconnect(announcedWallets.value, hasRpc.value).finally(settled)
  })
}
void restoreWallet()
