// What a credential may do, service by service.
import type { ReactElement } from 'react'
import type { TokenExplanation } from '../../../emulator/contract/tokens.ts'
import { Chip } from '../../ui/chip.tsx'
import { SERVICE_WORDS } from './token-words.ts'

export function TokenServices({ services }: Pick<TokenExplanation, 'services'>): ReactElement {
  return (
    <ul aria-label="Services" className="flex flex-col rounded-2 border">
      {services.map(({ service, accepted, sentence }) => (
        <li
          key={service}
          data-service={service}
          className="grid grid-cols-[112px_96px_minmax(0,1fr)] items-center gap-2 border-b px-3 py-1 last:border-b-0"
        >
          <span className="font-strong">{SERVICE_WORDS[service]}</span>
          <span>
            <Chip tone={accepted ? 'allowed' : 'refused'}>{accepted ? 'accepted' : 'refused'}</Chip>
          </span>
          <span className="text-ink-dim">{sentence}</span>
        </li>
      ))}
    </ul>
  )
}
