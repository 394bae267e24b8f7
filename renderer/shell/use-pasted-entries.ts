// Entries of the palette for a pasted credential, error code, status, address or curl command.
import { useNavigate } from '@tanstack/react-router'
import { pasteCredential } from '../parts/pasted-credential.ts'
import type { PaletteEntry } from './palette-entry.ts'
import { type Paste, readPaste } from './read-paste.ts'

/** @param typed the text in the palette's field */
export function usePastedEntries(typed: string): readonly PaletteEntry[] {
  const navigate = useNavigate()
  const requests = (label: string, search: { readonly q?: string; readonly code?: string }) => ({
    label,
    run: () => void navigate({ to: '/requests', search }),
  })
  const actionOf = (paste: Paste): Pick<PaletteEntry, 'label' | 'run'> => {
    switch (paste.kind) {
      case 'credential':
        return {
          label: 'Explain this credential',
          run: () => {
            pasteCredential(paste.credential)
            void navigate({ to: '/tokens' })
          },
        }
      case 'code':
        return requests(`Requests refused with ${paste.code}`, { code: paste.code })
      case 'status':
        return requests(`Requests with status ${paste.status}`, { q: paste.status })
      case 'request': {
        const { method, path } = paste
        const words = method === undefined ? path : `${method} ${path}`
        return requests(`Requests of ${words}`, { q: words })
      }
      case 'screen':
        return { label: `Open ${paste.path}`, run: () => void navigate({ href: paste.path }) }
    }
  }
  return readPaste(typed).map((paste) => ({
    ...actionOf(paste),
    id: `paste ${paste.kind}`,
    group: 'Pasted',
    isFound: true,
  }))
}
