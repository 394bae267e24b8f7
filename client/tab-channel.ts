// Notifies the users of one storage of changes: clients of one page or process by the storage object they share, tabs by the browser's
// `storage` event, or by a BroadcastChannel when the storage is the application's own.
import type { TextStorage } from './text-storage.ts'

/** Notifications between the users of one storage. */
export interface TabChannel {
  announce(): void
  close(): void
}

/** Runs `onChange` when another user of the storage has changed `name`. `own` is the page's `localStorage`. */
export function joinTabs(
  name: string,
  storage: TextStorage,
  onChange: () => void,
  own: TextStorage | undefined,
): TabChannel {
  const channels = [neighbours(storage, onChange)]
  if (storage === own) channels.push(storageEvents(name, onChange))
  else if (typeof document !== 'undefined') channels.push(broadcasts(name, onChange))
  return {
    announce() {
      for (const channel of channels) channel.announce()
    },
    close() {
      for (const channel of channels) channel.close()
    },
  }
}

const listeners = new WeakMap<TextStorage, Set<() => void>>()

function neighbours(storage: TextStorage, onChange: () => void): TabChannel {
  const all = listeners.get(storage) ?? new Set()
  listeners.set(storage, all)
  all.add(onChange)
  return {
    announce() {
      for (const listener of all) if (listener !== onChange) listener()
    },
    close: () => all.delete(onChange),
  }
}

// The event comes to the other tabs only, and after their own view of the storage has changed.
function storageEvents(name: string, onChange: () => void): TabChannel {
  const listener = ({ key }: StorageEvent): void => {
    if (key === name || key === null) onChange()
  }
  addEventListener('storage', listener)
  return { announce: () => undefined, close: () => removeEventListener('storage', listener) }
}

function broadcasts(name: string, onChange: () => void): TabChannel {
  const channel = new BroadcastChannel(name)
  channel.onmessage = onChange
  return { announce: () => channel.postMessage('changed'), close: () => channel.close() }
}
