/** The cookie of a session: `__Host-` where the service is reached over https. decisions: People, the portal. */
export function sessionCookie(options: { readonly brand: string; readonly publicUrl: string }) {
  const isSecure = options.publicUrl.startsWith('https:');
  const name = `${isSecure ? '__Host-' : ''}${options.brand}_session`;
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  return {
    name,
    /** Without an age: browsers drop it when they close, and the session decides how long it is good. */
    set: (secret: string) => `${name}=${secret}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}
export type SessionCookie = ReturnType<typeof sessionCookie>;
