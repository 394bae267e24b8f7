// Shows a key or password that is hidden until the user reveals the secret. Copying always yields the complete value.
import { Eye, EyeOff } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import { IconButton } from './button.tsx'
import { CopyButton } from './copy-button.tsx'

export interface SecretProps {
  readonly value: string
  /** Name of the secret: "anon key". */
  readonly label: string
  /** Number of characters that show while the secret is hidden. */
  readonly shown?: number
}

export function Secret({ value, label, shown = 8 }: SecretProps): ReactElement {
  const [isRevealed, setRevealed] = useState(false)
  return (
    <span className="flex min-w-0 items-center gap-1">
      <code className={isRevealed ? 'min-w-0 break-all' : 'truncate'}>
        {isRevealed ? value : `${value.slice(0, value.length > shown * 2 ? shown : 0)}••••••••••••`}
      </code>
      <IconButton
        size="small"
        label={isRevealed ? `Hide ${label}` : `Reveal ${label}`}
        isPressed={isRevealed}
        icon={isRevealed ? <EyeOff /> : <Eye />}
        onClick={() => setRevealed(!isRevealed)}
      />
      <CopyButton text={value} label={`Copy ${label}`} />
    </span>
  )
}
