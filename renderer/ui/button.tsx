// Buttons with a label, and icon buttons. An icon button shows its label as a tooltip and uses it as the accessible name.
import { type ButtonHTMLAttributes, type ReactElement, type ReactNode, type Ref, use } from 'react'
import { cx } from './cx.ts'
import { ServerGoneContext } from './server-gone.ts'
import { Tooltip } from './tooltip.tsx'

export type ButtonTone = 'plain' | 'primary' | 'danger' | 'quiet'
export type ButtonSize = 'small' | 'usual'

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly tone?: ButtonTone
  readonly size?: ButtonSize
  readonly icon?: ReactNode
  /** The button shows a spinner and ignores further clicks. */
  readonly isBusy?: boolean
  readonly ref?: Ref<HTMLButtonElement>
}

const TONES: Readonly<Record<ButtonTone, string>> = {
  plain: 'border-line-strong bg-surface-2 text-ink hover:bg-surface-3',
  primary: 'border-accent-fill bg-accent-fill text-on-accent hover:bg-accent-fill-hover',
  danger: 'border-refused/50 bg-refused-tint text-refused hover:border-refused',
  quiet: 'border-transparent text-ink-dim hover:bg-surface-2 hover:text-ink',
}

const SIZES: Readonly<Record<ButtonSize, string>> = {
  small: 'h-6 gap-1 text-small',
  usual: 'h-7 gap-2 text-base',
}

const WORD_SIZES: Readonly<Record<ButtonSize, string>> = {
  small: 'px-2 [&_svg]:size-3',
  usual: 'px-3 [&_svg]:size-4',
}

const ICON_SIZES: Readonly<Record<ButtonSize, string>> = {
  small: 'w-6 [&_svg]:size-[14px]',
  usual: 'w-7 [&_svg]:size-4',
}

/** Disabled while the emulator does not answer, unless its tone is quiet. */
export function Button({
  size = 'usual',
  className,
  disabled = false,
  ...rest
}: ButtonProps): ReactElement {
  const isGone = use(ServerGoneContext)
  return (
    <Pressable
      {...rest}
      size={size}
      disabled={disabled || (isGone && rest.tone !== 'quiet')}
      className={cx(WORD_SIZES[size], className)}
    />
  )
}

/** Buttons of these tones, and buttons with `isBusy`, ignore the second click of a double click. */
const ONCE: ReadonlySet<ButtonTone> = new Set(['primary', 'danger'])

function Pressable({
  tone = 'plain',
  size = 'usual',
  icon,
  isBusy,
  className,
  children,
  disabled,
  onClick,
  ...rest
}: ButtonProps): ReactElement {
  const isOnce = isBusy !== undefined || ONCE.has(tone)
  return (
    <button
      type="button"
      {...rest}
      onClick={(event) => {
        if (event.detail > 1 && isOnce) event.preventDefault()
        else onClick?.(event)
      }}
      disabled={disabled === true || isBusy === true}
      aria-busy={isBusy || undefined}
      className={cx(
        'inline-flex shrink-0 items-center justify-center rounded-1 border font-normal whitespace-nowrap transition-colors select-none disabled:opacity-50 [&_svg]:shrink-0',
        TONES[tone],
        SIZES[size],
        className,
      )}
    >
      {isBusy === true ? <Spinner /> : icon}
      {children}
    </button>
  )
}

export interface IconButtonProps extends Omit<ButtonProps, 'icon' | 'children'> {
  /** The action in words: tooltip and accessible name. */
  readonly label: string
  readonly icon: ReactNode
  /** Keyboard shortcut to show in the tooltip. */
  readonly keys?: string
  readonly isPressed?: boolean
}

export function IconButton({
  label,
  icon,
  keys,
  isPressed,
  size = 'usual',
  tone = 'quiet',
  className,
  ...rest
}: IconButtonProps): ReactElement {
  return (
    <Tooltip text={label} {...(keys === undefined ? {} : { keys })}>
      <Pressable
        {...rest}
        tone={tone}
        size={size}
        aria-label={label}
        aria-pressed={isPressed}
        className={cx(ICON_SIZES[size], isPressed === true && 'bg-surface-3 text-ink', className)}
      >
        {icon}
      </Pressable>
    </Tooltip>
  )
}

export function Spinner(): ReactElement {
  return (
    <span
      aria-hidden="true"
      className="size-3 animate-spin rounded-full border border-current border-t-transparent"
    />
  )
}
