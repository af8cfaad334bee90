type ZoneCodes = readonly (readonly [zone: string, codes: string])[];

/**
 * Countries with several times, and the beginnings of national numbers that tell which. Left out: codes of which a part
 * that matters lies in another zone (Idaho's 208, Florida's 850), and mobile numbers, except where they have an area code.
 */
const AREA_CODES: Readonly<Record<string, ZoneCodes>> = {
  US: [
    [
      'America/New_York',
      `201 202 203 207 212 215 216 220 223 227 229 231 234 239 240 248 252 260 267 269 272 276 283 301 302 304 305 313 315 317
       321 324 326 329 330 332 336 339 347 351 352 363 380 386 401 404 407 410 412 413 419 434 440 443 445 463 470 472 475
       478 484 502 508 513 516 517 518 540 551 561 567 570 571 582 585 586 603 606 607 609 610 614 616 617 631 640 645 646
       656 667 678 680 681 689 703 704 706 716 717 718 724 727 728 732 734 740 743 754 757 762 765 770 771 772 774 781 786
       802 803 804 810 813 814 821 826 828 835 838 839 843 845 848 854 856 857 859 860 862 863 864 865 878 904 908 910 912 914
       917 919 929 934 937 941 943 947 948 954 959 973 978 980 984 989`,
    ],
    [
      'America/Chicago',
      `205 210 214 217 218 224 225 228 235 251 254 256 262 274 281 309 312 314 316 318 319 320 325 327 331 337 346 353 361
       402 405 409 414 417 430 432 447 464 469 479 501 504 507 512 515 531 534 539 557 563 572 573 580 601 608 612 615 618 620
       629 630 636 641 651 659 660 662 682 708 712 713 715 726 730 731 737 763 769 773 779 785 806 815 816 817 830 832 847
       870 872 901 903 913 918 920 931 936 938 940 945 952 956 972 975 979 985`,
    ],
    ['America/Denver', '303 307 385 406 435 505 575 719 720 801 915 970 983'],
    ['America/Phoenix', '480 520 602 623'],
    [
      'America/Los_Angeles',
      `206 209 213 253 279 310 323 341 350 360 369 408 415 424 425 442 503 509 510 530 559 562 564 619 626 628 650 657 661 669
       702 707 714 725 738 747 760 775 805 818 820 831 840 858 909 916 925 949 951 971`,
    ],
    ['America/Anchorage', '907'],
    ['Pacific/Honolulu', '808'],
  ],
  CA: [
    [
      'America/Toronto',
      '226 249 263 289 343 354 365 367 382 416 418 437 438 450 468 514 519 548 579 581 613 647 683 705 742 753 819 873 905 942',
    ],
    ['America/Winnipeg', '204 431 584'],
    ['America/Regina', '306 474 639'],
    ['America/Edmonton', '368 403 587 780 825'],
    ['America/Vancouver', '604'],
    ['America/Halifax', '782 902'],
    ['America/Moncton', '428 506'],
  ],
  BR: [
    [
      'America/Sao_Paulo',
      `11 12 13 14 15 16 17 18 19 21 22 24 27 28 31 32 33 34 35 37 38 41 42 43 44 45 46 47 48 49 51 53 54 55 61 62 63 64
       71 73 74 75 77 79 81 82 83 84 85 86 87 88 89 91 93 94 96 98 99`,
    ],
    ['America/Cuiaba', '65 66'],
    ['America/Campo_Grande', '67'],
    ['America/Rio_Branco', '68'],
    ['America/Porto_Velho', '69'],
    ['America/Manaus', '92'],
    ['America/Boa_Vista', '95'],
  ],
  MX: [
    ['America/Mexico_City', '55 56 33 222 229 442 443 444 449 477 722 777 951'],
    ['America/Monterrey', '81 833 844 871'],
    ['America/Merida', '999'],
    ['America/Cancun', '983 984 987 998'],
    ['America/Hermosillo', '662'],
    ['America/Tijuana', '646 663 664 686'],
    ['America/Mazatlan', '612 624 667 668 669'],
    ['America/Chihuahua', '614'],
    ['America/Ciudad_Juarez', '656'],
  ],
  AU: [
    ['Australia/Sydney', '2'],
    ['Australia/Melbourne', '3'],
    ['Australia/Brisbane', '7'],
    ['Australia/Adelaide', '87 88'],
    ['Australia/Darwin', '889'],
    ['Australia/Perth', '86 89'],
  ],
  NZ: [['Pacific/Auckland', '4 6 7 9']],
  ID: [
    ['Asia/Jakarta', '2 31 32 33 34 35 53 56 6 7'],
    ['Asia/Makassar', '36 37 38 4 51 54 55'],
    ['Asia/Jayapura', '9'],
  ],
  ES: [
    ['Europe/Madrid', '81 82 83 84 85 86 87 88 91 92 93 94 95 96 97 98'],
    ['Atlantic/Canary', '822 828 922 928'],
  ],
  PT: [
    ['Europe/Lisbon', '21 22 23 24 25 26 27 28'],
    ['Atlantic/Madeira', '291'],
    ['Atlantic/Azores', '292 295 296'],
  ],
  RU: [
    ['Europe/Kaliningrad', '401'],
    [
      'Europe/Moscow',
      `471 472 473 474 475 481 482 483 484 485 486 487 491 492 493 494 495 496 498 499 811 812 813 814 815 816 817 818 820 821
       831 833 834 835 836 841 843 844 847 855 861 862 863 865 866 867 871 872 873 877 878 879`,
    ],
    ['Europe/Samara', '341 846 848'],
    ['Europe/Saratov', '845'],
    ['Europe/Ulyanovsk', '842'],
    ['Europe/Astrakhan', '851'],
    ['Asia/Yekaterinburg', '342 343 345 346 347 349 351 352 353'],
    ['Asia/Omsk', '381'],
    ['Asia/Tomsk', '382'],
    ['Asia/Novosibirsk', '383'],
    ['Asia/Novokuznetsk', '384'],
    ['Asia/Barnaul', '385 388'],
    ['Asia/Krasnoyarsk', '390 391 394'],
    ['Asia/Irkutsk', '301 395'],
    ['Asia/Chita', '302'],
    ['Asia/Yakutsk', '416'],
    ['Asia/Vladivostok', '421 423 426'],
    ['Asia/Sakhalin', '424'],
    ['Asia/Magadan', '413'],
    ['Asia/Kamchatka', '415'],
    ['Asia/Anadyr', '427'],
  ],
};

/** For a test. */
export const areaCodes = (): readonly (readonly [country: string, zone: string, code: string])[] =>
  Object.entries(AREA_CODES).flatMap(([country, zones]) =>
    zones.flatMap(([zone, codes]) => codes.split(/\s+/).map((code) => [country, zone, code] as const)),
  );

const MAX_CODE_LENGTH = 3;
let zones: Map<string, string> | undefined;

/** The time zone of a national number without its prefix, by its longest code that is listed. */
export function zoneOfNumber(country: string, national: string): string | undefined {
  zones ??= new Map(areaCodes().map(([of, zone, code]) => [`${of} ${code}`, zone]));
  for (let length = MAX_CODE_LENGTH; length > 0; length -= 1) {
    const zone = zones.get(`${country} ${national.slice(0, length)}`);
    if (zone) return zone;
  }
  return undefined;
}
