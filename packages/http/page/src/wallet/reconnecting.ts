import { signal } from '@preact/signals'

/**
 * Whether the wallet of the last visit is still being reconnected. What looks different with a
 * wallet waits for that, so that nothing moves when it is connected.
 */
export const isReconnecting = signal(localStorage.getItem('heirloom.wallet') !== null)
