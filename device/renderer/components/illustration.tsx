import type { ReactNode } from 'react';
import type { SaleStage } from '../../ipc/view.ts';

/** A reader seen from the front; its display and surroundings show the stage. */
function Reader(props: { children?: ReactNode; keysLit?: boolean; inserted?: ReactNode }) {
  const { children, keysLit = false, inserted } = props;
  const keys = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(index => (
    <rect
      key={index}
      className={keysLit ? 'art-key art-key-lit' : 'art-key'}
      x={121 + (index % 3) * 28}
      y={134 + Math.floor(index / 3) * 20}
      width="22"
      height="13"
      rx="4"
    />
  ));
  return (
    <>
      <rect className="art-shadow" x="104" y="228" width="112" height="10" rx="5" />
      {inserted}
      <rect className="art-body" x="100" y="40" width="120" height="186" rx="18" />
      <rect className="art-display" x="116" y="58" width="88" height="62" rx="8" />
      {keys}
      <rect className="art-slot" x="122" y="206" width="76" height="6" rx="3" />
      {children}
    </>
  );
}

function Card({ x, y, turned = false, move }: { x: number; y: number; turned?: boolean; move?: string }) {
  const [width, height] = turned ? [62, 96] : [96, 62];
  return (
    <g className={move ?? ''}>
      <rect className="art-card" x={x} y={y} width={width} height={height} rx="8" />
      <rect
        className="art-chip"
        x={turned ? x + 22 : x + 12}
        y={turned ? y + 12 : y + 22}
        width="18"
        height="15"
        rx="3"
      />
      {turned ? (
        <path className="art-card-line" d={`M${x + 44} ${y + 52}v32`} />
      ) : (
        <path className="art-card-line" d={`M${x + 52} ${y + 48}h32`} />
      )}
    </g>
  );
}

/** The contactless sign. */
function Waves({ x, y }: { x: number; y: number }) {
  return (
    <g className="art-waves">
      {[10, 21, 32].map(radius => (
        <path key={radius} d={`M${x + radius * 0.6} ${y - radius * 0.8}a${radius} ${radius} 0 0 1 0 ${radius * 1.6}`} />
      ))}
    </g>
  );
}

function DownArrow({ x, y }: { x: number; y: number }) {
  return <path className="art-arrow art-nudge" d={`M${x} ${y}v34m-11-11l11 11 11-11`} />;
}

/** A card being read; whether it pays is unknown until the bank has answered. */
const DisplayCard = () => (
  <g className="art-display-card">
    <rect x="138" y="76" width="44" height="28" rx="5" />
    <path d="M138 86h44" />
  </g>
);
const DownArrowDisplay = () => <path className="art-arrow-small" d="M160 74v28m-11-11l11 11 11-11" />;
const DisplayDots = () => (
  <g className="art-dots">
    {[136, 152, 168, 184].map(x => (
      <circle key={x} cx={x} cy="89" r="5" />
    ))}
  </g>
);

function Bank({ children }: { children: ReactNode }) {
  return (
    <>
      <g transform="translate(-62 0)">
        <Reader>
          <rect className="art-display-line" x="130" y="84" width="60" height="9" rx="4" />
        </Reader>
      </g>
      <path className="art-body" d="M212 116l44-30 44 30z" />
      <rect className="art-body" x="214" y="172" width="84" height="14" rx="3" />
      <path className="art-column" d="M226 122v44m20-44v44m20-44v44m20-44v44" />
      {children}
    </>
  );
}

const Travel = () => (
  <g className="art-travel">
    {[172, 186, 200].map(x => (
      <circle key={x} cx={x} cy="144" r="4.5" />
    ))}
  </g>
);

const readerAtWork = (
  <Reader>
    <DisplayDots />
  </Reader>
);
const cardComesOut = (
  <>
    <Reader inserted={<Card x={129} y={178} turned move="art-leave" />}>
      <DownArrowDisplay />
    </Reader>
    <DownArrow x={240} y={226} />
  </>
);

/** The illustration of each stage. */
const scenes: Readonly<Record<SaleStage, ReactNode>> = {
  starting: readerAtWork,
  finishing: readerAtWork,
  waiting_for_reader: (
    <>
      <g className="art-absent">
        <Reader />
      </g>
      <g className="art-waves art-search">
        <path d="M84 96a62 62 0 0 0 0 74M64 80a92 92 0 0 0 0 106" />
        <path d="M236 96a62 62 0 0 1 0 74M256 80a92 92 0 0 1 0 106" />
      </g>
    </>
  ),
  present_card: (
    <>
      <Reader>
        <g className="art-display-waves">
          <Waves x={138} y={89} />
        </g>
      </Reader>
      <g transform="rotate(-12 250 90)">
        <Card x={196} y={62} move="art-approach" />
      </g>
    </>
  ),
  insert_card: (
    <Reader inserted={<Card x={129} y={178} turned move="art-approach" />}>
      <DisplayCard />
    </Reader>
  ),
  card_inserted: (
    <Reader inserted={<Card x={129} y={176} turned />}>
      <DisplayCard />
    </Reader>
  ),
  card_tapped: (
    <>
      <Reader>
        <DisplayCard />
      </Reader>
      <g transform="rotate(-12 230 107)">
        <Card x={172} y={90} />
      </g>
    </>
  ),
  card_swiped: (
    <>
      <Card x={190} y={92} turned />
      <Reader>
        <DisplayCard />
      </Reader>
      <DownArrow x={248} y={200} />
    </>
  ),
  choose_application: (
    <Reader>
      <rect className="art-choice art-choice-on" x="126" y="68" width="68" height="18" rx="4" />
      <rect className="art-choice" x="126" y="92" width="68" height="18" rx="4" />
    </Reader>
  ),
  enter_pin: (
    <Reader keysLit inserted={<Card x={129} y={176} turned />}>
      <DisplayDots />
    </Reader>
  ),
  wrong_pin: (
    <Reader keysLit inserted={<Card x={129} y={176} turned />}>
      <path className="art-bad" d="M148 77l24 24m0-24l-24 24" />
    </Reader>
  ),
  authorising: (
    <Bank>
      <Travel />
    </Bank>
  ),
  checking: (
    <Bank>
      <g className="art-lens">
        <circle cx="186" cy="140" r="24" />
        <path d="M203 158l18 18" />
      </g>
    </Bank>
  ),
  reversing: (
    <Bank>
      <path className="art-arrow" d="M206 144h-36m11-11l-11 11 11 11" />
    </Bank>
  ),
  remove_previous_card: cardComesOut,
  remove_card: cardComesOut,
};

/** Decorative: the heading beside it has the same content as text. */
export function StageIllustration({ stage }: { stage: SaleStage }) {
  return (
    <svg className="art" viewBox="10 30 300 262" aria-hidden="true">
      {scenes[stage]}
    </svg>
  );
}
