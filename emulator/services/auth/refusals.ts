// The error codes of auth routes (docs/wire/auth.md#errors).
import {
  type CommonCode,
  DISK_REFUSALS,
  internalRefusal,
  type RefusalTable,
  UNAVAILABLE,
} from '../../core/refusals.ts'

const ROWS = {
  invalid_request: {
    status: 400,
    cause: 'A field of the body or query is missing or invalid, or the request names no project.',
    remedy:
      'Correct the fields listed in details. Name the project in X-SuperDB-Project or apikey.',
  },
  invalid_json: {
    status: 400,
    cause: 'The body is not valid JSON.',
    remedy: 'Send JSON with content-type application/json.',
  },
  project_conflict: {
    status: 400,
    link: 'project',
    cause: 'X-SuperDB-Project and apikey name different projects.',
    remedy: 'Send only one of them, or send both for the same project.',
  },
  weak_password: {
    status: 400,
    cause: 'The password is too short or too common.',
    remedy: 'Choose a longer password.',
  },
  invalid_otp: {
    status: 400,
    link: 'claims',
    cause:
      'The code is wrong, older than 10 minutes, already used, or locked after five wrong attempts.',
    remedy:
      'Use the newest code in the mailbox with exactly the same address, or request a new code.',
  },
  invalid_code: {
    status: 400,
    link: 'claims',
    cause: 'The code or token of the link is unknown, expired or already used.',
    remedy: 'Start the sign-in again. A code works once, within 5 minutes.',
  },
  invalid_pkce: {
    status: 400,
    cause: 'The code challenge is not a base64url SHA-256 hash, or its method is not S256.',
    remedy: 'Send 43 to 128 characters and code_challenge_method=S256.',
  },
  pkce_mismatch: {
    status: 400,
    link: 'claims',
    cause: 'The code verifier does not match the challenge. The code cannot be used again.',
    remedy:
      'Store the verifier where the page that finishes the sign-in can read it, then start again.',
  },
  invalid_redirect: {
    status: 400,
    cause: 'The redirect address is not on the project’s list of allowed redirects.',
    remedy: 'Add exactly this address to the allowed redirects in the project’s auth settings.',
  },
  email_change_unsupported: {
    status: 400,
    cause: 'The platform does not support changing a user’s e-mail address.',
    remedy: 'Create a new account with the other address.',
  },
  current_password_required: {
    status: 400,
    link: 'claims',
    cause: 'The user has a password, so setting a new password requires the current password.',
    remedy: 'Send current_password.',
  },
  whatsapp_not_configured: {
    status: 400,
    link: 'project',
    cause: 'WhatsApp is disabled in this project.',
    remedy: 'Enable the channel in the project’s auth settings, or send the code by e-mail.',
  },
  sms_not_configured: {
    status: 400,
    link: 'project',
    cause: 'SMS is disabled in this project.',
    remedy: 'Enable the channel in the project’s auth settings, or send the code by e-mail.',
  },
  oauth_not_enabled: {
    status: 400,
    link: 'project',
    cause: 'This social provider is disabled in the project.',
    remedy: 'Enable the provider in the project’s auth settings.',
  },
  oauth_state_invalid: {
    status: 400,
    link: 'claims',
    cause: 'The social sign-in took too long, or was started at another emulator.',
    remedy: 'Start the sign-in again at /auth/v1/authorize.',
  },
  oauth_state_unbound: {
    status: 400,
    link: 'claims',
    cause: 'The social sign-in was started in another browser.',
    remedy: 'Start and finish the sign-in in the same browser, with cookies enabled.',
  },
  factor_not_found: {
    status: 400,
    link: 'claims',
    cause: 'The user has no second factor with this id.',
    remedy: 'List the user’s factors with GET /auth/v1/mfa.',
  },
  invalid_credentials: {
    status: 401,
    link: 'claims',
    cause: 'The project has no user with this address and password.',
    remedy: 'Check the project first, then the address, then the password.',
  },
  unauthorized: {
    status: 401,
    link: 'credential',
    cause: 'The token or key is missing, expired, signed out or of the wrong kind.',
    remedy:
      'Send the session’s access_token. If the token has expired, refresh the session or sign in again.',
  },
  signup_disabled: {
    status: 403,
    link: 'project',
    cause: 'Sign-up is disabled in this project.',
    remedy: 'Enable sign-up in the project’s auth settings, or create the user in the inspector.',
  },
  user_banned: {
    status: 403,
    link: 'claims',
    cause: 'The user is banned from this project.',
    remedy: 'Remove the ban in the inspector, under Users.',
  },
  email_not_confirmed: {
    status: 403,
    link: 'claims',
    cause: 'The project requires confirmed e-mail addresses, and this address is not confirmed.',
    remedy: 'Open the confirmation link in the mailbox.',
  },
  insufficient_aal: {
    status: 403,
    link: 'claims',
    cause: 'The request needs a session with a verified second factor.',
    remedy: 'Verify a factor with POST /auth/v1/mfa/verify first.',
  },
  not_found: {
    status: 404,
    cause: 'The route or the project does not exist.',
    remedy: 'Check the path. X-SuperDB-Project takes the project’s slug, without the prefix proj_.',
  },
  method_not_allowed: {
    status: 405,
    cause: 'The route does not support this method.',
    remedy: 'Use a method that the header Allow lists.',
  },
  email_taken: {
    status: 409,
    link: 'row',
    cause: 'The project already has a user with this address.',
    remedy: 'Sign in instead, or delete the user in the inspector.',
  },
  payload_too_large: {
    status: 413,
    cause: 'The body is too large.',
    remedy: 'Send less data. Every token contains the user metadata.',
  },
  too_many_attempts: {
    status: 429,
    link: 'quota',
    cause: 'There were too many wrong codes, or too many codes were sent to one address.',
    remedy: 'Request a new code, or wait. You can move the platform clock forward.',
  },
  whatsapp_send_failed: {
    status: 503,
    link: 'fault',
    cause: 'The project’s auth settings make every WhatsApp message fail.',
    remedy: 'Change the setting in the project’s auth settings.',
  },
} as const

export type AuthErrorCode = keyof typeof ROWS | CommonCode

export const AUTH_REFUSALS: RefusalTable<AuthErrorCode> = {
  ...ROWS,
  internal: internalRefusal('Authentication failed with an internal error.'),
  unavailable: UNAVAILABLE,
  ...DISK_REFUSALS,
}
