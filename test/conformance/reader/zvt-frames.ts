/**
 * Public examples of ZVT, in hexadecimal digits. Whole blocks of the serial line: tests of wirelane/ecrterm. APDUs: tests
 * and captures of wirelane/ecrterm, EVerest/zvt, Portalum.Zvt and bezahl-online/zvt, and the examples of the protocol's own
 * documentation (PA00P015 13.08, chapter 5.1). The last two blocks were computed: their checksums look like control bytes.
 */
export const blocks: Readonly<Record<string, { block: string; apdu: string }>> = {
  registration: { block: '1002060006123456BA0978100324C3', apdu: '060006123456BA0978' },
  'payment of 110.00, with doubled bytes': {
    block: '100206010A04000000011010004909781003F2FF',
    apdu: '06010A04000000011000490978',
  },
  diagnosis: { block: '10020670001003D9F9', apdu: '067000' },
  yes: { block: '10028000001003F51F', apdu: '800000' },
  'not yet': { block: '1002849C001003C341', apdu: '849C00' },
  reset: { block: '10020618001003563A', apdu: '061800' },
  'status enquiry': { block: '10020501031234561003E043', apdu: '050103123456' },
  'display of two lines': {
    block: '100206E025F1F1F64641485245524E554D4D455220202020F2F1F545494E474542454E20554E44204F4B1003DECD',
    apdu: '06E025F1F1F64641485245524E554D4D455220202020F2F1F545494E474542454E20554E44204F4B',
  },
  'a printed line': {
    block: '100206D11900476573616D742020202020203020202020202020302C30301003B5AB',
    apdu: '06D11900476573616D742020202020203020202020202020302C3030',
  },
  'a checksum with DLE': { block: '100205010010031006', apdu: '050100' },
  'a checksum like the end of a block': {
    block: '100206010A0400000002530849097810031003',
    apdu: '06010A04000000025308490978',
  },
};

/** Registrations and payments of tills, as the simulated reader receives them. */
export const commands = {
  registration: '060006123456DE0978',
  'registration with sequence numbers': '0600140000009E0978060C26040A0206D31F7303000000',
  'payment of 10.00': '06010704000000001000',
  'end of day': '065003123456',
} as const;

/** What readers say, as the driver receives it. */
export const messages = {
  wait: '04FF0117',
  'insert card': '04FF1E0A01061A241807164269747465204B617274652065696E737465636B656E',
  approved:
    '040F5A2700040000000025004909780C2255580D040522F0F8559883EEEEEE80748702313B37353030373100000B000975196029525235350E24058A068C018BF1F14D617374657243617264002A383034303131393236202020202020',
  'approved, done': '060F00',
  registered: '060F0A19102952523535490978',
  aborted: '061E016C',
  'status: aborted': '040F07276C2929001006',
  'no open pre-authorisation': '061E04B887FFFF',
  declined: '040F25270529290002743CF0F0F9416267656C65686E748A06060D240B0709416267656C65686E74',
} as const;
