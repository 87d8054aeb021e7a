"""Small files of images, made by Pillow: what TensorFlow reads of them is kept."""

from __future__ import annotations

from base64 import b85decode

FILES = {
    "colours.png": b85decode(
        "iBL{Q4GJ0x0000DNk~Le00007000052m$~A00#JBj{pDwc}YY;RCt^LZUB-"
        "00AGT_+0W|_qaoMXg801<MY!nAPN@Xm`$$9~I0WYgWGlHA+8i^SN&^7u1Oq8=Ji2fu2m}Fbj?BHvA_%jO`^W&gzk"
        "l4J=K(8=?Y~x!2k2n$Og8{W0Zqr-gXy*I``Ee&n0P|wbjtD?97ij-G?Cj*P(uI!002ovPDHLkV1f"
    ),
    "clear.png": b85decode(
        "iBL{Q4GJ0x0000DNk~Le00007000052nGNE0EwFR*Z=?koJmAMRCt^LkpOQ00CNzT2zk@b!w0j<x~3<&*h$3qEDn"
        "F$7CKA$+yO3ms0FLK^@U&G_=@P+BskIQZ7<$r5Ai)|1^WR#^*;wI)gSu!J#!vN<W1uNACRdM*x=iLR3IM!F=pOD@"
        "ZgD^Wg3~oGqE^g8uk8leI`l&KgAQy0agYW``2p_X2v{MPD>fOM2NXdv-"
        "T#MF~nvd*+TL~jhK;@Y5)KL07*qoM6N<$f&"
    ),
    "grey.png": b85decode(
        "iBL{Q4GJ0x0000DNk~Le00007000052mk;80Icz;1ONa4F-b&0RCt_Yh`-"
        "5y{fFyWmU}KNDPqRVEX+1)jAxYk8FwkEzFBnfI@9DYd%F`^+yOA@51*DbF0cRq002ovPDHLkV1f"
    ),
    "clear_grey.png": b85decode(
        "iBL{Q4GJ0x0000DNk~Le00007000052m}BC03(w=Qvd(}R!KxbRCt^LO8~V00CNy|(+9JrCrQK(e>zJ5E_vBAI1("
        "W1@z&2e45I-"
        "(^()o*JxJsM9}?JqQ~)t%@Ze<{GqD==eI`G}0agarYsNfF8Hl;|Cd6iYogaEk54|h^0000<MNUMnLSTX"
    ),
    "palette.png": b85decode(
        "iBL{Q4GJ0x0000DNk~Le00007000051Oos70DH9S>i_@%7*I@9Ma<NU!Lxl$+I&T}T8NLoHkdkpO@dYgd5VL1O8@"
        "`>AxT6*RCt_YbPzb=!y?S0$iVdQy*vZc18qJ521ijA0{}>L1w@D7uY~{r002ovPDHLkV1f"
    ),
    "wide.png": b85decode(
        "iBL{Q4GJ0x0000DNk~Le00007000055C8xG0Q_NfM*si-"
        "R!KxbRCt^LO8~V00co#Gil&1J)YvMeP|q|1x#m#ZI(HH&eff$pDKh|`@rHd)7+@O$^-"
        "pXK7y`~#E<`RzQz*6%DjL?E0H%@>ta;M!9Uz>D26s%C^BvuiH6u0v0000<MNUMnLSTX"
    ),
    "bits.png": b85decode(
        "iBL{Q4GJ0x0000DNk~Le00007000050RR910HNW_bpQYW5=lfsRCt_Yh+<%3Vq&<#kO2S&NCBZjUF0JG0000<MNU"
        "MnLSTX"
    ),
    "film.gif": b85decode(
        "M@dFFH(>_=1ptKr0H5!QWa>#_;B1n*!lSy7V7Dp-"
        ">Ei;_wkXw4F}V5eoo3OcIIL^OQlr*^o>@<l?Lw3x2Z9yJVC~96MS)hlQAU4NF^S$SLA)%Ck0e2D43SVrJp)nM15_"
        "F(I=l-"
        "cm`n&}LjwQ=AFKcX000000000000000000000000000000000000000000000000000000000000000000000000"
        "00000000000000000000000000000000004x9i000L71pojDDgYNScyIwkg9INSIG`{fLx2tj2!!x(zybgb5ik@$"
        "prC>T4jV*F5D*XmA^8LW001KZEC2ui00#gC0EO}6vgq5(tnLcetA=6j=5wz~H`@mu<w*{%=?$y5@sXLhq}sKRXXc"
        "4n({M?tkd%m@%5s-"
        "G|2e?DTEx*Z;G`?ul2HDdL{YRTUXl~HycHzG3s!PZ@@!R+cT5x_LLqo278e^k3p<Da0000000000000000000000"
        "00000000000000000000000000000000000000000000000000000000000000000000000000000000000000Oo"
        "04*RGuwg+45EUF0I1r!%1`!i3Bv8OWg9Hj3B7}hO;6nos1PllO5D)+%`2+y~03!e_000002LJ^Ch57CB$lGj=yl{"
        "Ev3hlH+@}d{6l*7iJXorN8kD38p?15nPGcf06F7Xs7+;;+{z73&|1gwPWXr<P04E{sY#dRHmSUZ1k)@W2N4}e(<E"
        "cxUp9O4`@!X{Jl3{SxfeX$Mzy#X6D09pV5000000000000000000000000000000000000000000000000000000"
        "00000000000000000000000000000000000000000000000000000=4oH*{z)!GVGTArM%AU_b-"
        "`2?7`lSinKUg%1HhcsP*Z0fhtrFhr;j5CA&"
    ),
    "colours.bmp": b85decode(
        "LQSp!00000001@s001Ze000L7000F5000317ytkO004LZ006`e006`e0000000000007&^O^~qAXsf;evv}t9@Yu"
        "g(AKQKa004i#y62(Xiz@+EzwPJ;k4*1iM*uef004QWK<TPk?XrJ+aezgeO!$JDz)4>K000VoJwosuC$<wi1UoF=Q"
        "8IdX98S;x006>*U+d4=A)^n1+1C)g_~^JrsZPxR000"
    ),
    "grey.jpg": b85decode(
        "|JeWF01!$>Nk#wx0RR9200961|JwjV00;&K2L=TQ2L}fU2?z=d6b%du3k(?&6Au&}8Xq1V8XO!TBrYc)A}k{u94I"
        "#_EHE)NG&CP4IXyTsJT5adGXKB;3kU!S01E*D5di<h02TlN0RaF20000000000000051_%Gd03Q$l0R#XC000000"
        "0000000000s{skGBZI!QE{RF+5iXv0RR9$03tmF!B>Wc#1@2Arvh>9h4Xo7=>OR"
    ),
    "colours.jpg": b85decode(
        "|JeWF01!$>Nk#wx0RR9200961|JwjV01yid4h#wq4h;?x5fBp?C>j_R78o%jB^@X_Gd(;xGdMRuNL)@pL{~*OI8b"
        "d-"
        "S6^ahXlFi6ad~iLcwA*?WB=O#Lje&I5*QU2FB%#zV?sDWV`F1uV`F1uV`F1uV`F1uV`F1uV`F1uV`F1uV`F1uV`F"
        "1uV`F1uV`F1uV`F1uV`Klo01*fP2>=TN0U`hb5di}c0sq7R6#xMN000000000000000000F8|HJ?s5C8!M00RI30"
        "000000000000331O*~7GC}{u02KiN0RR910000000000000041^>hV7!d#i0RaF20000000000000020}%oL+5ij"
        "#0RRFK0}%i}00Jd%85L!2QzfE!DBh?A-?~<umk<Bh"
    ),
}
