/**
 * Headers that say where a message ends, whom it is for and who may change it on the way. They belong
 * to the sender, not to the caller who describes the message.
 */
export function isTransportHeader(name: string): boolean {
  return TRANSPORT.test(name);
}

const TRANSPORT =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*)$/i;
